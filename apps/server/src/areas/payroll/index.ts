import type { Area } from '#records/area.ts'
import { demo } from './demo.ts'
import { exportTo1c } from './export.ts'
import { lineServices, violations } from './parts.ts'
import { payAll, payOut } from './payouts.ts'
import { setStatus, timesheet } from './periods.ts'
import {
  payrollAdjustments,
  payrollLines,
  payrollPayouts,
  payrollPeriods,
  payrollRuns,
  payrollSlips,
  paySchemes,
  serviceCosts,
  timesheetDays,
} from './records.ts'
import { calculatePeriod, calculations, cancelRun } from './run.ts'

export { calculatedWages } from './calculatedWages.ts'

/** Staff pay: schemes, months, slips and their lines, and payouts. */
export const payroll: Area = {
  name: 'payroll',
  title: 'Зарплата',
  records: [
    paySchemes,
    payrollPeriods,
    payrollSlips,
    payrollLines,
    payrollAdjustments,
    payrollPayouts,
    payrollRuns,
    timesheetDays,
    serviceCosts,
  ],
  operations: [calculatePeriod, cancelRun, setStatus, payOut, payAll, timesheet, lineServices, violations, exportTo1c],
  demo,
  runs: [calculations],
}
