/** The Markdown of the contracts: paragraphs, `code`, **strong**, *emphasis*. Everything else is text. */
export function Prose({ text }: { text: string }) {
  const paragraphs = text.split(/\n{2,}/)
  return paragraphs.map((paragraph) => (
    <p>
      <Line text={paragraph} />
    </p>
  ))
}

export function Line({ text }: { text: string }) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) => {
    if (/^`.+`$/s.test(part)) return <code>{part.slice(1, -1)}</code>
    if (/^\*\*.+\*\*$/s.test(part)) return <strong>{part.slice(2, -2)}</strong>
    if (/^\*.+\*$/s.test(part)) return <em>{part.slice(1, -1)}</em>
    return part
  })
}
