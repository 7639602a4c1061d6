import {
  PayrollAdjustment,
  PayrollLine,
  PayrollPayout,
  PayrollPeriod,
  PayrollRun,
  PayrollSlip,
  PayScheme,
  ServiceCost,
  TimesheetDay,
} from './payroll.ts'

/** Entities of this area. */
export const entities = [
  PayScheme,
  PayrollPeriod,
  PayrollSlip,
  PayrollLine,
  PayrollAdjustment,
  PayrollPayout,
  PayrollRun,
  TimesheetDay,
  ServiceCost,
] as const
