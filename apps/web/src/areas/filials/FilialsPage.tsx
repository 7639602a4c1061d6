import { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { weekText } from '@ordinator/model/hours'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { Dot, HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { one } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { OpenNow } from './OpenNow.tsx'

type Line = Row<typeof Filial>

const columns: readonly ('filialPhone' | ColumnSpec<Line>)[] = [
  {
    key: 'nameFilial',
    label: 'Филиал',
    width: 210,
    cell: (filial) => (
      <HStack component="span" miw={0}>
        <Dot color={filial.labelColor} size={10} />
        <span className="truncate">{filial.nameFilial}</span>
      </HStack>
    ),
  },
  { key: 'filialCode', width: 80 },
  {
    key: 'now',
    label: 'Сейчас',
    width: 180,
    sort: false,
    cell: (filial) => (filial.active ? <OpenNow filial={filial} /> : <Muted>не работает</Muted>),
  },
  {
    key: 'workingHours',
    width: 360,
    cell: (filial) => (filial.workingHours ? weekText(filial.workingHours) : <Muted>не заданы</Muted>),
  },
  {
    key: 'filialAddressFact',
    label: 'Адрес',
    width: 210,
    cell: (filial) => filial.filialAddressFact ?? filial.filialAddress ?? filial.cityName,
  },
  'filialPhone',
  { key: 'activeForShop', label: 'На сайте', width: 100, hidden: true },
]

/** Active branches by default. */
const filialFilters = filters(Filial, {
  state: one({
    label: 'Состояние филиала',
    options: { active: 'Работают', closed: 'Закрыты', all: 'Все' },
    usual: 'active',
    is: (state) => (state === 'all' ? undefined : { active: state === 'active' }),
    segments: true,
  }),
})

/** Филиалы: the branches of the clinic. */
export default function FilialsPage() {
  return (
    <RegistryPage
      page={pageByKey('filials')}
      entity={Filial}
      pageOf={(id) => pagePath('filial', { id })}
      newAt={pagePath('newFilial')}
      columns={columns}
      filters={filialFilters}
      isMuted={(filial) => !filial.active}
    />
  )
}
