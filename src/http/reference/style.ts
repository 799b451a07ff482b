/** The style sheet of the reference: light or dark like the reader's system, one column on a phone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1c2024; --faint: #5b6470; --page: #ffffff; --panel: #f5f6f8; --line: #dfe3e8; --link: #5b2fb5; --strong: #a3341d;
  font: 16px/1.55 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8eb; --faint: #9aa4b0; --page: #14161a; --panel: #1e2127; --line: #32373f; --link: #bda2f7; --strong: #f2937c; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--page); display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
a { color: var(--link); }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; }
h1 { font-size: 2rem; }
h2 { font-size: 1.5rem; margin-top: 3.5rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.2rem; }
h4 { font-size: .85rem; color: var(--faint); margin: 1rem 0 .4rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover::after, h3 a:hover::after { content: " #"; color: var(--faint); }
small { font-size: .8rem; color: var(--faint); }
code, pre { font: .85rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { background: var(--panel); border-radius: .25rem; padding: .1rem .3rem; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; margin: 0; overflow: auto; max-height: 32rem; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.command { max-height: none; user-select: all; -webkit-user-select: all; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav a { display: block; padding: .15rem 0; color: inherit; text-decoration: none; font-weight: 600; }
nav a:hover { color: var(--link); }
nav .title { font-size: 1.2rem; margin-bottom: 1rem; }
nav ul { list-style: none; margin: 0 0 .8rem; padding: 0; }
nav li a { font-weight: 400; color: var(--faint); }
main { padding: 2rem clamp(1rem, 4vw, 3rem) 6rem; max-width: 84rem; }
main > section > p, main > section > pre, .columns p { max-width: 46rem; }
.lead { font-size: 1.15rem; color: var(--faint); }
.operation { padding-top: 2.5rem; }
.operation:target h3 { color: var(--link); }
section, h2 { scroll-margin-top: 1rem; }
.address { margin: .4rem 0 0; }
.address b { font-size: .8rem; letter-spacing: .04em; color: var(--link); margin-right: .3rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2.5rem; }
.samples { align-self: start; position: sticky; top: 1rem; }
table { width: 100%; max-width: 46rem; border-collapse: collapse; margin-top: 1.4rem; font-size: .9rem; table-layout: fixed; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; border-top: 1px solid var(--line); padding: .5rem .6rem .5rem 0; overflow-wrap: anywhere; }
th { width: 36%; font-weight: 400; }
.errors th { width: 3.5rem; }
th code { background: none; padding: 0; font-weight: 600; }
th small { display: block; }
.required { color: var(--strong); }
.type { display: block; }
.says { display: block; margin-top: .3rem; }
@media (max-width: 72rem) {
  .columns { display: block; }
  .samples { position: static; margin-top: 1.5rem; max-width: 46rem; }
}
@media (max-width: 48rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem; columns: 2; }
  nav .title { column-span: all; }
  nav ul { break-before: avoid; }
  nav a { padding: .3rem 0; }
}
@media print { nav { display: none; } body, .columns { display: block; } pre { max-height: none; white-space: pre-wrap; } }
`
