import type { Handler } from 'hono'
import type { AppEnv } from '../../http/context.ts'
import { exportEventsRoute, exportUsersRoute } from '../../lifecycle/export/routes.ts'
import { asFile } from '../figures/download.ts'
import { Field, SelectField } from '../forms/field.tsx'
import { contextAbout, findApplication } from '../request/application-request.ts'
import type { Part } from './section.tsx'

export const exportPart: Part = {
  id: 'export',
  title: 'Export',
  content: ({ request }) => {
    return (
      <>
        <p>
          Download all events, or all users with their properties, as NDJSON or CSV. <code>npm run import</code> reads
          NDJSON files.
        </p>
        <form method="get" action={`${request.home}/export`} class="fields">
          <SelectField label="Data" name="what" id="export-what" options={CONTENTS} problem={null} />
          <DayField label="First day" name="start" hint="For events. Leave empty to start with the first event." />
          <DayField label="Last day" name="end" hint="For events. Leave empty to end with the latest event." />
          <SelectField label="Format" name="format" id="export-format" options={FORMATS} problem={null} />
          <div>
            <button type="submit">Download</button>
          </div>
        </form>
      </>
    )
  },
}

const CONTENTS = [
  ['events', 'Events'],
  ['users', 'Users'],
] as const

const FORMATS = [
  ['ndjson', 'NDJSON'],
  ['csv', 'CSV'],
] as const

function DayField({ label, name, hint }: { label: string; name: string; hint: string }) {
  return (
    <Field label={label} id={`export-${name}`} hint={hint} faults={[]}>
      {(attributes) => <input type="date" name={name} {...attributes} />}
    </Field>
  )
}

/** The file that the form asks for. Throws `Invalid`. */
export const downloadExport: Handler<AppEnv> = async (c) => {
  const application = await findApplication(c)
  const { context } = contextAbout(c, application)
  const { what, format = 'ndjson' } = c.req.query()
  const isOfUsers = what === 'users'
  const period = isOfUsers ? {} : periodOf(c.req.query())
  const query = { format, ...period }
  const { body, headers } = await (isOfUsers
    ? exportUsersRoute.ask({ query }, context)
    : exportEventsRoute.ask({ query }, context))
  const nameParts = [application.handle, isOfUsers ? 'users' : 'events', ...Object.values(period)]
  return new Response(body, { headers: asFile(headers.get('content-type') ?? '', { nameParts, extension: format }) })
}

function periodOf({ start = '', end = '' }: Record<string, string>): Record<string, string> {
  const chosen = Object.entries({ start, end }).filter(([, day]) => day !== '')
  return Object.fromEntries(chosen.map(([name, day]) => [name, day.replaceAll('-', '')]))
}
