import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../event-name.ts'
import { question } from '../operation.ts'
import { askForAcquisition } from './acquisition.ts'
import { getAcquisition } from './contract.ts'
import { acquisitionReport } from './figures.ts'
import { peaksReport } from './peaks.ts'
import { acquiredSessionsReport } from './sessions.ts'
import { groupSizesReport } from './sizes.ts'

export const getAcquisitionRoute = question(
  getAcquisition,
  async ({ query: { by, activation_event: activation, limit, offset } }, asking) => {
    const query = {
      by,
      activation: activation === undefined ? null : { event: toEventName(activation) },
      ...asking.period,
      today: asking.calendar.dayOf(asking.now),
      limit,
      offset,
    }
    const { all, data, total } = await askForAcquisition(query, asking)
    return { ...SUCCESS, limit, offset, total, all, data, time_zone: asking.calendar.timeZone }
  },
  { reports: [groupSizesReport, acquisitionReport, acquiredSessionsReport, peaksReport] },
)
