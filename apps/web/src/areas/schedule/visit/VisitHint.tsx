import { visitKinds } from '@ordinator/model/areas/catalogue/performer'
import { visitStatuses } from '@ordinator/model/areas/visits/rules'
import { counted } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { spanText } from '#kit/dayGrid/scale.ts'
import { TooltipFacts } from '#kit/TooltipFacts.tsx'
import { type GroupItem, paidWord, placesText, type SheetItem, type VisitItem } from '../grid/sheet.ts'

/** Tooltip of a grid item. */
export const SheetHint = ({ item }: { item: SheetItem }) =>
  'group' in item ? <GroupHint item={item} /> : <VisitHint item={item} />

/** Maximum names in a group's tooltip. */
const NAMED = 8

function GroupHint({ item: { group, members, from, to } }: { item: GroupItem }) {
  const names = members.slice(0, NAMED).map(({ patient }) => patient ?? 'Пациент')
  return (
    <TooltipFacts
      title={group.service}
      facts={[
        ['Время', spanText({ from, to })],
        ['Занято мест', placesText(group)],
        ['Записаны', [...names, ...(members.length > NAMED ? [`ещё ${members.length - NAMED}`] : [])].join(', ')],
        ['Внимание', members.some(({ needsRebook }) => needsRebook) && 'Записи требуют переноса'],
      ]}
    />
  )
}

function VisitHint({ item: { visit, from, to, late } }: { item: VisitItem }) {
  return (
    <TooltipFacts
      title={visit.patient ?? 'Пациент'}
      facts={[
        ['Время', spanText({ from, to })],
        ['Состояние', late ? `${visitStatuses[visit.visitStatus]}, время пришло` : visitStatuses[visit.visitStatus]],
        ['Телефон', visit.phone && phoneText(visit.phone)],
        ['Услуги', visit.services],
        ['Приём', visit.kind && visitKinds[visit.kind].toLowerCase()],
        ['Деньги', paidWord(visit)],
        [
          'Внимание',
          visit.needsRebook &&
            'Врач не принимает в это время, или не хватает места либо оборудования: запись требует переноса',
        ],
        ['Сверх', visit.overbooked && 'записан сверх расписания'],
        ['Неявки за год', visit.noShows > 0 && counted(visit.noShows, ['раз', 'раза', 'раз'])],
        ['Примечание', visit.note],
      ]}
    />
  )
}
