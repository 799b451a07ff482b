import type { Handler } from 'hono'
import type { AppEnv } from '../../http/context.ts'
import { exportEventsRoute, exportUsersRoute } from '../../lifecycle/export/routes.ts'
import { contextAbout, findApplication } from '../application-request.ts'
import { Field } from '../components/field.tsx'
import { asFile, fileName } from '../download.ts'
import { Section, type SettingsRequest } from './section.tsx'

/** Everything that is kept of the application, as files. */
export function ExportSection({ settings }: { settings: SettingsRequest }) {
  const { request } = settings
  return (
    <Section id="export" title="Export" settings={settings}>
      <p>
        Download all events, or all users with their properties, as NDJSON or CSV. <code>npm run import</code> reads
        NDJSON files.
      </p>
      <form method="get" action={`${request.home}/export`} class="fields">
        <Field label="Data" id="export-what" faults={[]}>
          {(attributes) => (
            <select name="what" {...attributes}>
              <option value="events">Events</option>
              <option value="users">Users</option>
            </select>
          )}
        </Field>
        <Field
          label="First day"
          id="export-start"
          hint="For events. Leave empty to start with the first event."
          faults={[]}
        >
          {(attributes) => <input type="date" name="start" {...attributes} />}
        </Field>
        <Field
          label="Last day"
          id="export-end"
          hint="For events. Leave empty to end with the latest event."
          faults={[]}
        >
          {(attributes) => <input type="date" name="end" {...attributes} />}
        </Field>
        <Field label="Format" id="export-format" faults={[]}>
          {(attributes) => (
            <select name="format" {...attributes}>
              <option value="ndjson">NDJSON</option>
              <option value="csv">CSV</option>
            </select>
          )}
        </Field>
        <div>
          <button type="submit">Download</button>
        </div>
      </form>
    </Section>
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
  const name = fileName([application.handle, isOfUsers ? 'users' : 'events', ...Object.values(period)], format)
  return new Response(body, { headers: asFile(headers.get('content-type') ?? '', name) })
}

/** The days that were chosen, as operations write them. */
function periodOf({ start = '', end = '' }: Record<string, string>): Record<string, string> {
  const chosen = Object.entries({ start, end }).filter(([, day]) => day !== '')
  return Object.fromEntries(chosen.map(([name, day]) => [name, day.replaceAll('-', '')]))
}
