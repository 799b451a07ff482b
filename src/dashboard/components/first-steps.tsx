import type { OwnApplication } from '../../applications/applications.ts'
import { homeOf } from '../address.ts'

/** What to do next where no event has arrived yet. */
export function FirstSteps({ application }: { application: OwnApplication }) {
  return (
    <section class="card">
      <h2>
        Waiting for the first event of <bdi>{application.name}</bdi>
      </h2>
      <p>Nothing has arrived yet. Two steps, and this page fills within seconds:</p>
      <ol>
        <li>
          <a href={`${homeOf(application)}/settings#connect`}>Make a key for your client</a> and put the snippet that
          comes with it into your mini-app.
        </li>
        <li>Open your mini-app in the messenger. The light in the settings turns green with the first event.</li>
      </ol>
    </section>
  )
}
