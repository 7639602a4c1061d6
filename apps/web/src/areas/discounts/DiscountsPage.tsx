import { Discount, discountKinds } from '@ordinator/model/areas/discounts/discount'
import { periodText, valueText } from '@ordinator/model/areas/discounts/words'
import type { Row } from '@ordinator/model/entity'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { discountFilters } from './discountFilters.ts'
import { StateBadge } from './StateBadge.tsx'

type Line = Row<typeof Discount>

const columns: readonly ('name' | 'priority' | 'description' | 'idUser' | ColumnSpec<Line>)[] = [
  { key: 'name', width: 250 },
  { key: 'state', width: 150, cell: (discount) => <StateBadge discount={discount} /> },
  { key: 'kind', width: 180, cell: ({ kind }) => discountKinds[kind] },
  { key: 'size', label: 'Сколько', width: 200, sort: false, cell: (discount) => sentence(valueText(discount)) },
  {
    key: 'period',
    label: 'Когда',
    width: 230,
    sort: false,
    cell: (discount) => sentence(periodText(discount)) || <Muted>всегда</Muted>,
  },
  {
    key: 'targetNames',
    label: 'На что',
    width: 220,
    sort: false,
    cell: ({ targetNames, category }) =>
      targetNames || (
        <Muted>{category ? { services: 'все услуги', products: 'все товары' }[category] : 'на всё'}</Muted>
      ),
  },
  {
    key: 'filialNames',
    label: 'Филиалы',
    width: 140,
    sort: false,
    cell: ({ filialNames }) => filialNames || <Muted>все</Muted>,
  },
  {
    key: 'uses',
    label: 'Раз',
    width: 80,
    align: 'right',
    cell: ({ uses }) => <span className="tabular">{formatNumber(uses)}</span>,
  },
  {
    key: 'sumGiven',
    label: 'Дано',
    width: 130,
    cell: ({ sumGiven }) => <span className="tabular">{formatMoney(sumGiven)}</span>,
  },
]

const sentence = (words: string): string => `${words.charAt(0).toLocaleUpperCase('ru')}${words.slice(1)}`

/** Скидки: the list of discounts. */
export default function DiscountsPage() {
  return (
    <RegistryPage
      page={pageByKey('discounts')}
      entity={Discount}
      pageOf={(id) => pagePath('discount', { id })}
      newAt={pagePath('newDiscount')}
      columns={columns}
      filters={discountFilters}
      isMuted={({ state }) => state === 'off' || state === 'expired'}
    />
  )
}
