import { visitStatuses } from '@ordinator/model/areas/visits/rules'
import { counted } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { spanText } from '../../../kit/dayGrid/scale.ts'
import { TooltipFacts } from '../../../kit/TooltipFacts.tsx'
import type { VisitItem } from '../grid/sheet.ts'

/** What stands behind a visit of the grid. */
export function VisitHint({ item: { visit, from, to, late } }: { item: VisitItem }) {
  return (
    <TooltipFacts
      title={visit.patient ?? 'Пациент'}
      facts={[
        ['Время', spanText({ from, to })],
        ['Состояние', late ? `${visitStatuses[visit.visitStatus]}, время пришло` : visitStatuses[visit.visitStatus]],
        ['Телефон', visit.phone && phoneText(visit.phone)],
        ['Услуги', visit.services],
        ['Внимание', visit.needsRebook && 'Врач не принимает в это время: запись требует переноса'],
        ['Сверх', visit.overbooked && 'записан сверх расписания'],
        ['Неявки за год', visit.noShows > 0 && counted(visit.noShows, ['раз', 'раза', 'раз'])],
        ['Примечание', visit.note],
      ]}
    />
  )
}
