/** The library, which the page loads before this script. */
declare const Scalar: { createApiReference(element: string, configuration: object): void }

interface ReferenceDocument {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; tags: readonly string[] }>>>>
}

/** The library's colors, with enough contrast for small text, and our accent. */
const COLORS = `
.light-mode {
  --scalar-color-2: #5c5c5c; --scalar-color-3: #666666; --scalar-color-accent: #6f3bb0;
  --scalar-color-green: #04694a; --scalar-color-blue: #005f9e; --scalar-color-orange: #a83a00; --scalar-color-red: #b80005;
  --scalar-color-yellow: #7a5c00;
}
.dark-mode {
  --scalar-color-2: #b5b5b5; --scalar-color-3: #a3a3a3; --scalar-color-accent: #c8a6f5; --scalar-color-red: #ff7b72;
}`

const reference: ReferenceDocument = await (await fetch('/openapi.json')).json()

/** Where the library shows each chapter and operation, by the anchors that this page had before. */
const ADDRESSES = new Map(addressesIn(reference))

function* addressesIn({ tags, paths }: ReferenceDocument): Iterable<readonly [string, string]> {
  for (const { name } of tags) yield [`#${slugOf(name)}`, `#tag/${slugOf(name)}`]
  for (const { operationId, tags } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    yield [`#${operationId}`, `#tag/${slugOf(tags[0] ?? '')}/${operationId}`]
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

Scalar.createApiReference('#reference', {
  content: reference,
  customCss: COLORS,
  generateOperationSlug: ({ operationId }: { operationId: string }) => operationId,
  redirect: (hash: string) => ADDRESSES.get(hash),
  // The commands of the document are the only ones: those that the library makes know no sample request.
  hiddenClients: true,
  hideModels: true,
  // Nothing asks another host.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})

/** Adds what keyboards and screen readers need and the library leaves out. */
function complete(): void {
  for (const button of document.querySelectorAll('button[role="search"]')) {
    button.removeAttribute('role')
    button.querySelector('.sidebar-search-placeholder')?.removeAttribute('aria-hidden')
  }
  for (const button of document.querySelectorAll('button:is(.code-copy, [class*="copy-button"]):not([aria-label])'))
    button.setAttribute('aria-label', 'Copy')
  for (const button of document.querySelectorAll('button[aria-selected]:not([role])')) {
    button.setAttribute('aria-current', button.getAttribute('aria-selected') ?? 'false')
    button.removeAttribute('aria-selected')
  }
  // Its label lacks the visible text, which people who speak to their computer say.
  for (const button of document.querySelectorAll('button.show-more')) button.removeAttribute('aria-label')
}

let isDue = false
new MutationObserver(() => {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    complete()
  })
}).observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-selected'] })

export {}
