// What the server wrote into the page about itself.

function written(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

/** Where this server's own addresses begin, as in `/_cms`. */
export const prefix = written("cms-prefix");

/** Where this application lives, as in `/_cms/admin`. */
export const home = `${prefix}/admin`;

/** The header that proves that a request comes from a script of this site. */
export const requestHeader = written("cms-header");

/** Where the site is, as in `https://cms.example.com`: passkeys work there alone. Empty where nothing was written into the page. */
export const origin = written("cms-origin");

/** Where the public site is whose pages are previewed, as in `https://www.example.com`. Empty where the server was not told. */
export const previewOrigin = written("cms-preview-origin");

/** The server's version, as in `0.1.0`. */
export const version = written("cms-version");
