export const DOCUMENT_PATH = '/openapi.json'
export const PAGE_PATH = '/docs'
export const SCRIPT_PATH = '/docs/redoc.js'

/** Redoc reads its own element and needs no script in the page. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mauve API</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 }</style>
</head>
<body>
<redoc spec-url="${DOCUMENT_PATH}" expand-responses="200" required-props-first json-sample-expand-level="3" hide-hostname></redoc>
<script src="${SCRIPT_PATH}"></script>
</body>
</html>
`

/** The page's own style. A policy names what it allows by the hash of its text. */
const MARGIN_STYLE = "'sha256-mX+s7KJgWpgxJola85xdpAFPBQaV091gzM2oPjgTW2w='"
/** Redoc makes style elements that it fills through the style sheet's own interface: empty ones, as the browser sees them. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
/** The one that it fills with text: its scroll bars. It is of this version of the package. */
const SCROLL_BAR_STYLE = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='"

/** Everything from here and nothing from elsewhere. Search runs in a worker that the script makes of itself. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src ${MARGIN_STYLE} ${EMPTY_STYLE} ${SCROLL_BAR_STYLE}`,
  "connect-src 'self'",
  "img-src 'self' data:",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
