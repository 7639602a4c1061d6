import { entity } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { salesAccess } from './funnel.ts'

const stage = (label: string, as: string, onDelete: 'cascade' | 'set null') =>
  ref('sales-management/stages', { label, as, readonly: true, onDelete })

/**
 * A deal's stay in a stage. A trigger of the deals' table writes it for every move, so that every figure of the
 * analytics opens as a list of deals: `filter[visits.idPassed]=5`.
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
    /** Empty while the deal is in the stage. */
    dateEnd: dateTime({ label: 'Ушла', readonly: true }),
    /** The next stage. */
    idNext: stage('Куда ушла', 'next', 'set null'),
    /** This stage, if the deal moved on from it: to a later or a done stage. */
    idPassed: stage('Пройден этап', 'passed', 'cascade'),
    /** This stage, if the deal was lost in it. */
    idLost: stage('Отказ на этапе', 'lost', 'cascade'),
  },
  access: { view: salesAccess.view },
  within: 'idLead',
  sort: 'id',
})
