/** Text to be copied as it stands; the script of the page adds a button for it. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <div class="copyable">
      <section class="scroll snippet" tabindex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
    </div>
  )
}
