import type { Context } from 'hono'
import { MAX_LISTED } from '../../../questions/user-cohorts/definition/list.ts'
import { BoundField } from '../../forms/bound-field.tsx'
import { Field } from '../../forms/field.tsx'
import { readFields } from '../../forms/fields-of-form.ts'
import { inWords, type PageProblem } from '../../request/problem.tsx'
import { toCount } from '../../words/format.ts'
import { cohortForm } from './cohort-form.ts'

interface UploadShown {
  readonly home: string
  readonly name: string
  readonly problem: PageProblem | null
}

/** The name of the cohort, and the text of the file. */
export async function readUpload(c: Context): Promise<{ readonly name: string; readonly text: string }> {
  const typed = await readFields(c)
  const { list } = await c.req.parseBody()
  return { name: typed.trimmed('name'), text: list instanceof File ? await list.text() : typed.text('list') }
}

export function UploadForm({ home, name, problem }: UploadShown) {
  const faults = problem?.faults.filter(({ loc: [part] }) => part === 'body') ?? []
  return (
    <form method="post" action={`${home}/cohorts/list`} enctype="multipart/form-data" class="card rows">
      <h2>Upload a list of users</h2>
      <div class="row tops">
        <BoundField of={{ form: cohortForm, body: { name }, problem, id: 'list' }} at="name" label="Name" />
        <Field
          label="CSV file"
          id="list"
          hint={`One telegram id per line, up to ${toCount(MAX_LISTED)}. Replaces a cohort of this name.`}
          faults={faults.map(inWords)}
        >
          {(attributes) => (
            <input type="file" name="list" accept=".csv,.txt,text/csv,text/plain" required {...attributes} />
          )}
        </Field>
        <button type="submit">Upload</button>
      </div>
    </form>
  )
}
