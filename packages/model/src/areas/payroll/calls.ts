/** Payroll beyond the engine's calls. */
import { z } from 'zod'
import { call, day, id, idParams, onceKey, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { PayrollPayout, PayrollPeriod, PayrollRun } from './payroll.ts'
import { payoutKinds, payoutSources } from './states.ts'

const sum = z.number().min(0.01, messages.min(0.01)).max(100_000_000, messages.max(100_000_000))
const from = {
  payFrom: oneOf(payoutSources),
  idDesk: id.optional(),
  idBankAccount: id.optional(),
  localDate: day.optional(),
}

/** A day of a person in the timesheet. */
const timesheetDay = z.object({
  day,
  hours: z.number(),
  nightHours: z.number(),
  shift: z.boolean(),
  /** Vacation, sick leave, training, meeting; null: none. */
  absence: z.string().nullable(),
  /** Manual correction that replaces the day. */
  idCorrection: id.nullable(),
  reason: z.string().nullable(),
})

export const payrollCalls = {
  calculate: call({
    method: 'POST',
    path: '/payroll/periods/:id/calculate',
    summary:
      'Расчёт месяца в фоне; trial: true только показывает разницу. Ручные строки не меняются, исправления закрытых месяцев попадают в этот',
    access: 'payroll',
    params: idParams,
    body: z.strictObject({ trial: z.boolean().default(false) }),
    status: 201,
    answer: rowOf(PayrollRun),
  }),
  cancelRun: call({
    method: 'POST',
    path: '/payroll/runs/:id/cancel',
    summary: 'Отмена расчёта: ничего не изменится',
    access: 'payroll',
    params: idParams,
    answer: rowOf(PayrollRun),
  }),
  setStatus: call({
    method: 'POST',
    path: '/payroll/periods/:id/status',
    summary: 'Проверен, утверждён (начисление проводится), выплачен, закрыт; или шаг назад, пока ничего не выплачено',
    access: 'payroll',
    params: idParams,
    body: z.strictObject({ status: z.enum(['calculated', 'checked', 'approved', 'paid', 'closed']) }),
    answer: rowOf(PayrollPeriod),
  }),
  payOut: call({
    method: 'POST',
    once: true,
    path: '/payroll/slips/:id/payout',
    summary: 'Выплата сотруднику: аванс до утверждения или остаток после; из кассы — изъятием в её открытой смене',
    access: 'payroll',
    params: idParams,
    body: z.strictObject({ key: onceKey, kind: oneOf(payoutKinds), sum, ...from }),
    answer: rowOf(PayrollPayout),
  }),
  payAll: call({
    method: 'POST',
    once: true,
    path: '/payroll/periods/:id/pay',
    summary: 'Остатки всем сотрудникам утверждённого месяца одной ведомостью',
    access: 'payroll',
    params: idParams,
    body: z.strictObject({ key: onceKey, ...from }),
    answer: z.object({ count: z.int(), sum: z.number() }),
  }),
  timesheet: call({
    method: 'GET',
    path: '/payroll/periods/:id/timesheet',
    summary: 'Табель месяца по сменам и отсутствиям, с правками',
    access: 'payroll',
    params: idParams,
    answer: z.object({
      normHours: z.number(),
      normDays: z.int(),
      daysOff: z.array(day),
      people: z.array(
        z.object({ idUser: id, name: z.string(), post: z.string().nullable(), days: z.array(timesheetDay) }),
      ),
    }),
  }),
  lineServices: call({
    method: 'GET',
    path: '/payroll/lines/:id/services',
    summary: 'Услуги, из которых сложилась база строки прогрессивного правила, какими они стоят сейчас',
    access: 'signed-in',
    params: idParams,
    answer: z.object({
      /** Rubles of the services now; differs from the line if they have changed since. */
      base: z.number(),
      services: z.array(z.object({ id, day, service: z.string(), patient: z.string().nullable(), base: z.number() })),
    }),
  }),
  violations: call({
    method: 'GET',
    path: '/payroll/slips/:id/violations',
    summary:
      'Подтверждённые нарушения регламентов с удержанием по конец месяца листа, за которые премию ещё не снижали',
    access: 'payroll',
    params: idParams,
    answer: z.array(z.object({ id, day, description: z.string(), regulation: z.string(), deduction: z.number() })),
  }),
  exportTo1c: call({
    method: 'GET',
    path: '/payroll/periods/:id/export-1c',
    summary: 'Начисления и выплаты месяца для 1С, XML',
    access: 'payroll',
    params: idParams,
    file: 'application/xml',
  }),
}
