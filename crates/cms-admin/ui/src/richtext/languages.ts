// Languages that code is written in, by the names that highlighters know.

export const LANGUAGES = [
  "bash", "c", "cpp", "csharp", "css", "diff", "go", "graphql", "html", "ini", "java", "javascript", "json", "kotlin", "less", "lua", "makefile", "markdown", "objectivec", "perl", "php", "plaintext",
  "python", "r", "ruby", "rust", "scss", "shell", "sql", "swift", "typescript", "vbnet", "wasm", "xml", "yaml",
];
