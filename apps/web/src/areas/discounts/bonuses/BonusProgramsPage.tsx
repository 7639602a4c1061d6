import { Badge } from '@mantine/core'
import { BonusProgram } from '@ordinator/model/areas/discounts/bonusProgram'
import type { Row } from '@ordinator/model/entity'
import { counted, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { FormPart } from '#kit/FormPart.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { WhatPart, WhomPart } from '../form/Parts.tsx'
import { TiersField } from '../form/TiersField.tsx'

type Line = Row<typeof BonusProgram>

const days = (count: number) => counted(count, ['день', 'дня', 'дней'])

const columns: readonly ('name' | 'dateFrom' | 'dateTo' | ColumnSpec<Line>)[] = [
  { key: 'name', width: 260 },
  {
    key: 'state',
    label: 'Состояние',
    width: 130,
    sort: false,
    cell: ({ active }) => (
      <Badge color={active ? 'teal' : 'gray'} variant="light">
        {active ? 'Действует' : 'Выключена'}
      </Badge>
    ),
  },
  {
    key: 'percent',
    label: 'Сколько',
    width: 180,
    cell: ({ percent, tiers }) => {
      const most = tiers?.length ? Math.max(percent, ...tiers.map((tier) => tier.percent)) : percent
      const least = tiers?.length ? Math.min(percent, ...tiers.map((tier) => tier.percent)) : percent
      return most === least ? `${formatNumber(most)} % оплаты` : `${formatNumber(least)}–${formatNumber(most)} % оплаты`
    },
  },
  {
    key: 'delayDays',
    label: 'Доступны',
    width: 150,
    cell: ({ delayDays }) => (delayDays > 0 ? `через ${days(delayDays)}` : <Muted>сразу</Muted>),
  },
  {
    key: 'lifeDays',
    label: 'Живут',
    width: 130,
    cell: ({ lifeDays }) => (lifeDays ? days(lifeDays) : <Muted>не сгорают</Muted>),
  },
  'dateFrom',
  'dateTo',
  {
    key: 'given',
    label: 'Начислено',
    width: 140,
    align: 'right',
    cell: ({ given }) => <span className="tabular">{formatNumber(given, 2)}</span>,
  },
]

/** Бонусные программы: percent of payments given as bonuses. */
export default function BonusProgramsPage() {
  return (
    <RegistryPage
      page={pageByKey('bonusPrograms')}
      entity={BonusProgram}
      columns={columns}
      form={() => <Fields />}
      wide
    />
  )
}

const Fields = () => (
  <VStack gap={16}>
    <FormPart title="Основное">
      <RecordField name="name" autoFocus />
      <RecordField name="percent" />
      <RecordField name="active" />
      <div data-wide>
        <RecordField name="tiers" input={TiersField} />
      </div>
      <RecordField name="window" />
    </FormPart>
    <FormPart title="Когда и где">
      <RecordField name="delayDays" />
      <RecordField name="lifeDays" />
      <RecordField name="dateFrom" />
      <RecordField name="dateTo" />
      <RecordField name="filials" />
    </FormPart>
    <WhatPart title="За что" />
    <WhomPart />
  </VStack>
)
