import { entity } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { salesAccess } from './funnel.ts'

const stage = (label: string, as: string, onDelete: 'cascade' | 'set null') =>
  ref('sales-management/stages', { label, as, readonly: true, onDelete })

/**
 * A deal's stay in a stage. The table keeps itself (a trigger of the deals' table), whatever way a deal is moved, so
 * that every figure of the analytics can be opened as a list of deals: `filter[visits.idPassed]=5`.
 */
export const LeadVisit = entity('sales-management/lead-visits', {
  label: ['Пребывание на этапе', 'пребывания на этапе', 'пребываний на этапе'],
  fields: {
    idLead: ref('sales-management/leads', {
      label: 'Сделка',
      as: 'lead',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    idStage: ref('sales-management/stages', {
      label: 'Этап',
      as: 'stage',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    dateStart: dateTime({ label: 'Пришла', required: true, readonly: true }),
    /** Empty while the deal is there. */
    dateEnd: dateTime({ label: 'Ушла', readonly: true }),
    /** Where it went. */
    idNext: stage('Куда ушла', 'next', 'set null'),
    /** The stage itself, when the deal went on from it: to a later one of the funnel, or to a done one. */
    idPassed: stage('Пройден этап', 'passed', 'cascade'),
    /** The stage itself, when the deal was lost on it. */
    idLost: stage('Отказ на этапе', 'lost', 'cascade'),
  },
  access: { view: salesAccess.view },
  within: 'idLead',
  sort: 'id',
})
