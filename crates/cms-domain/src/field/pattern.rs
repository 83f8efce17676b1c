//! Patterns for text: matched in linear time, and told to clients in the dialect of JSON Schema.

use std::fmt::{self, Write};

use regex_syntax::ast::{
    AssertionKind, Ast, ClassAscii, ClassAsciiKind, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem, ClassUnicode, ClassUnicodeKind,
    GroupKind, RepetitionKind, RepetitionRange, parse::Parser,
};

/// A regular expression that is matched in linear time.
#[derive(Debug, Clone)]
pub struct Pattern(regex::Regex);

impl Pattern {
    /// The most memory a compiled pattern may take, so that `a{1000}{1000}` is refused instead of built.
    const MAX_BYTES: usize = 1 << 20;

    /// Compiles an expression.
    pub fn new(expression: &str) -> Result<Self, String> {
        regex::RegexBuilder::new(expression).size_limit(Self::MAX_BYTES).build().map(Self).map_err(|error| error.to_string())
    }

    /// Whether the expression matches somewhere in the text.
    pub fn matches(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// The expression.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// An expression of ECMA-262 with the flag `u`, the dialect of JSON Schema, that matches the same texts.
    ///
    /// None for what that dialect cannot say or says otherwise: flags, word boundaries, operations on classes, scripts by name.
    pub fn to_ecma(&self) -> Option<String> {
        // The parser bounds how deep expressions nest, and thereby the recursion below.
        let ast = Parser::new().parse(self.as_str()).ok()?;
        let mut ecma = String::new();
        translate(&ast, &mut ecma)?;
        Some(ecma)
    }
}

/// What `\w` means here, as in Unicode Technical Standard 18.
const WORD: &str = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}";

fn translate(ast: &Ast, out: &mut String) -> Option<()> {
    match ast {
        Ast::Empty(_) => {}
        Ast::Flags(_) => return None,
        Ast::Literal(literal) => escape(literal.c, "", out),
        Ast::Dot(_) => out.push_str(r"[^\n]"),
        Ast::Assertion(assertion) => out.push(match assertion.kind {
            AssertionKind::StartLine | AssertionKind::StartText => '^',
            AssertionKind::EndLine | AssertionKind::EndText => '$',
            _ => return None,
        }),
        Ast::ClassUnicode(class) => write_unicode(class, out)?,
        Ast::ClassPerl(class) if class.kind == ClassPerlKind::Word => {
            out.push_str(if class.negated { "[^" } else { "[" });
            out.push_str(WORD);
            out.push(']');
        }
        Ast::ClassPerl(class) => write_perl(class, out)?,
        Ast::ClassBracketed(class) => {
            let ClassSet::Item(item) = &class.kind else { return None };
            out.push_str(if class.negated { "[^" } else { "[" });
            write_item(item, out)?;
            out.push(']');
        }
        Ast::Repetition(repetition) => {
            write_group(&repetition.ast, out)?;
            match &repetition.op.kind {
                RepetitionKind::ZeroOrOne => out.push('?'),
                RepetitionKind::ZeroOrMore => out.push('*'),
                RepetitionKind::OneOrMore => out.push('+'),
                RepetitionKind::Range(RepetitionRange::Exactly(n)) => repeat(out, format_args!("{n}")),
                RepetitionKind::Range(RepetitionRange::AtLeast(n)) => repeat(out, format_args!("{n},")),
                RepetitionKind::Range(RepetitionRange::Bounded(n, m)) => repeat(out, format_args!("{n},{m}")),
            }
        }
        Ast::Group(group) => match &group.kind {
            GroupKind::NonCapturing(flags) if !flags.items.is_empty() => return None,
            _ => write_group(&group.ast, out)?,
        },
        Ast::Alternation(alternation) => {
            for (n, branch) in alternation.asts.iter().enumerate() {
                if n > 0 {
                    out.push('|');
                }
                translate(branch, out)?;
            }
        }
        Ast::Concat(concat) => concat.asts.iter().try_for_each(|part| translate(part, out))?,
    }
    Some(())
}

fn repeat(out: &mut String, times: fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{{{times}}}");
}

fn write_group(ast: &Ast, out: &mut String) -> Option<()> {
    out.push_str("(?:");
    translate(ast, out)?;
    out.push(')');
    Some(())
}

/// An item within brackets.
fn write_item(item: &ClassSetItem, out: &mut String) -> Option<()> {
    match item {
        ClassSetItem::Empty(_) => {}
        ClassSetItem::Literal(literal) => escape(literal.c, "-", out),
        ClassSetItem::Range(range) => {
            escape(range.start.c, "-", out);
            out.push('-');
            escape(range.end.c, "-", out);
        }
        ClassSetItem::Ascii(ClassAscii { kind, negated: false, .. }) => out.push_str(ascii(kind)),
        ClassSetItem::Unicode(class) => write_unicode(class, out)?,
        ClassSetItem::Perl(ClassPerl { kind: ClassPerlKind::Word, negated: false, .. }) => out.push_str(WORD),
        ClassSetItem::Perl(class) => write_perl(class, out)?,
        ClassSetItem::Union(union) => union.items.iter().try_for_each(|item| write_item(item, out))?,
        ClassSetItem::Ascii(_) | ClassSetItem::Bracketed(_) => return None,
    }
    Some(())
}

fn write_perl(class: &ClassPerl, out: &mut String) -> Option<()> {
    let name = match class.kind {
        ClassPerlKind::Digit => "Nd",
        ClassPerlKind::Space => "White_Space",
        ClassPerlKind::Word => return None,
    };
    out.push_str(if class.negated { r"\P{" } else { r"\p{" });
    out.push_str(name);
    out.push('}');
    Some(())
}

/// General categories, which both dialects spell alike.
fn write_unicode(class: &ClassUnicode, out: &mut String) -> Option<()> {
    let name = match &class.kind {
        ClassUnicodeKind::OneLetter(letter) => letter.to_string(),
        ClassUnicodeKind::Named(name) => name.clone(),
        ClassUnicodeKind::NamedValue { .. } => return None,
    };
    let categories = [
        "L",
        "Ll",
        "Lm",
        "Lo",
        "Lt",
        "Lu",
        "M",
        "Mc",
        "Me",
        "Mn",
        "N",
        "Nd",
        "Nl",
        "No",
        "P",
        "Pc",
        "Pd",
        "Pe",
        "Pf",
        "Pi",
        "Po",
        "Ps",
        "S",
        "Sc",
        "Sk",
        "Sm",
        "So",
        "Z",
        "Zl",
        "Zp",
        "Zs",
        "Alphabetic",
        "White_Space",
    ];
    categories.contains(&name.as_str()).then(|| {
        out.push_str(if class.negated { r"\P{" } else { r"\p{" });
        out.push_str(&name);
        out.push('}');
    })
}

fn ascii(kind: &ClassAsciiKind) -> &'static str {
    match kind {
        ClassAsciiKind::Alnum => "0-9A-Za-z",
        ClassAsciiKind::Alpha => "A-Za-z",
        ClassAsciiKind::Ascii => r"\x00-\x7f",
        ClassAsciiKind::Blank => r"\t ",
        ClassAsciiKind::Cntrl => r"\x00-\x1f\x7f",
        ClassAsciiKind::Digit => "0-9",
        ClassAsciiKind::Graph => "!-~",
        ClassAsciiKind::Lower => "a-z",
        ClassAsciiKind::Print => " -~",
        ClassAsciiKind::Punct => r"!-\/:-@\[-`\{-~",
        ClassAsciiKind::Space => r"\t\n\v\f\r ",
        ClassAsciiKind::Upper => "A-Z",
        ClassAsciiKind::Word => "0-9A-Za-z_",
        ClassAsciiKind::Xdigit => "0-9A-Fa-f",
    }
}

/// A character that stands for itself; `more` are special where it stands.
fn escape(character: char, more: &str, out: &mut String) {
    if r"^$\.*+?()[]{}|/".contains(character) || more.contains(character) {
        out.push('\\');
        out.push(character);
    } else if character.is_ascii_control() {
        // Writing to a string cannot fail.
        let _ = write!(out, "\\x{:02x}", u32::from(character));
    } else {
        out.push(character);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ecma(expression: &str) -> Option<String> {
        Pattern::new(expression).unwrap().to_ecma()
    }

    #[test]
    fn classes_keep_their_meaning_in_the_dialect_of_schemas() {
        assert_eq!(ecma(r"^\d{4}-[a-z&~-]+$").as_deref(), Some(r"^(?:\p{Nd}){4}-(?:[a-z&~\-])+$"));
        assert_eq!(ecma(r".\s").as_deref(), Some(r"[^\n]\p{White_Space}"));
        assert_eq!(ecma(r"a/\{").as_deref(), Some(r"a\/\{"));
        assert_eq!(ecma(r"\W").as_deref(), Some(r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]"));
        assert_eq!(ecma(r"(?:\pL|\P{Nd})").as_deref(), Some(r"(?:\p{L}|\P{Nd})"));
    }

    #[test]
    fn what_the_dialect_of_schemas_cannot_say_is_not_said() {
        for expression in ["(?i)a", "(?i:a)", r"\bword\b", "[a-z&&[^b]]", r"\p{Greek}", r"[^\W]", "(?m)^a$"] {
            assert_eq!(ecma(expression), None, "{expression}");
        }
    }

    #[test]
    fn expressions_that_need_backtracking_or_much_memory_are_refused() {
        for expression in [r"(a)\1", "(?=a)", "(?<!a)b", "a{1000}{1000}", "(", &"(".repeat(10_000)] {
            assert!(Pattern::new(expression).is_err(), "{expression}");
        }
    }
}
