import { Lead } from '@ordinator/model/areas/sales/lead'
import type { AnyFilter } from '@ordinator/model/client'
import { useMemo } from 'react'
import { formatDateTime } from '#kit/clock.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { Dot, HStack } from '#kit/Stacks.tsx'
import { UserLinks } from '#kit/UserLink.tsx'
import { RecordTable } from '#records/RecordTable.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { contactOf, nextStepOf } from '../board/dealFacts.ts'
import type { Deal, StageRow } from '../board/deals.ts'
import { useStageMove } from '../useStageMove.tsx'
import classes from './DealTable.module.css'
import { useBulkDeals } from './useBulkDeals.tsx'

interface Props {
  idFunnel: number
  stages: readonly StageRow[]
  filter: AnyFilter
  mayEdit: boolean
  open: (id: number) => void
}

/** Deals of a funnel as a table: columns, sorting, paging, bulk actions, export. */
export default function DealTable({ idFunnel, stages, filter, mayEdit, open }: Props) {
  const { move, dialog } = useStageMove()
  const actions = useBulkDeals(stages, move)
  const specs = useMemo(() => specsOf(stages), [stages])
  return (
    <div className={classes.table}>
      <RecordTable
        entity={Lead}
        bare
        prefix="table-"
        columns={specs}
        expand={['contacts', 'responsible.user', 'tags']}
        filter={{ idFunnel, ...filter }}
        defaults={{ limit: 50, sort: '-dateCreate' }}
        onOpen={(row) => open(row.id)}
        hrefOf={(row) => `/deals?funnel=${idFunnel}&lead=${row.id}`}
        actions={mayEdit ? actions : []}
        selectable={mayEdit}
        isMuted={(row) => row.typeStage !== 1}
        empty={{ title: 'Сделок нет', text: 'Здесь появятся сделки воронки' }}
      />
      {dialog}
    </div>
  )
}

/** The table loads complete contacts. */
type TableDeal = Omit<Deal, 'contacts'> & { contacts: (Deal['contacts'][number] & { email: string | null })[] }

function specsOf(stages: readonly StageRow[]): ColumnSpec<TableDeal>[] {
  return [
    { key: 'title', width: 280 },
    {
      key: 'contacts',
      label: 'Контакт',
      exported: 'contacts.fio',
      width: 200,
      sort: false,
      cell: (deal) => contactOf(deal),
    },
    {
      key: 'idStage',
      label: 'Этап',
      width: 160,
      cell: (deal) => {
        const stage = stages.find(({ id }) => id === deal.idStage)
        return (
          stage && (
            <HStack component="span">
              <Dot color={stage.color} />
              <span className={classes.stageName}>{stage.name}</span>
            </HStack>
          )
        )
      },
    },
    { key: 'price', width: 140, align: 'right' },
    {
      key: 'responsible',
      label: 'Ответственный',
      exported: 'responsible.user.fio',
      width: 184,
      sort: false,
      cell: (deal) => <UserLinks users={deal.responsible.map((one) => one.user ?? {})} />,
    },
    { key: 'idSource', width: 140 },
    {
      key: 'nextStep',
      width: 200,
      cell: (deal) => {
        const step = nextStepOf(deal, stages.find(({ id }) => id === deal.idStage)?.idType === 1)
        return step && <span data-late={step.late || undefined}>{step.text}</span>
      },
    },
    {
      key: 'dateNextStep',
      width: 152,
      cell: (deal) => {
        const late = nextStepOf(deal, stages.find(({ id }) => id === deal.idStage)?.idType === 1)?.late
        return (
          deal.dateNextStep && (
            <span className={classes.when} data-late={late || undefined}>
              {formatDateTime(deal.dateNextStep)}
            </span>
          )
        )
      },
    },
    {
      key: 'tags',
      label: 'Метки',
      exported: 'tags.name',
      width: 160,
      sort: false,
      cell: (deal) => deal.tags.map((tag) => tag.name).join(', '),
    },
    { key: 'dateExpected', width: 140 },
    {
      key: 'phone',
      label: 'Телефон',
      exported: 'contacts.phone',
      width: 168,
      sort: false,
      hidden: true,
      cell: (deal) => (
        <HStack component="span" gap={8}>
          {deal.contacts.map(({ id, phone }) => phone && <PhoneLink key={id} phone={phone} bare />)}
        </HStack>
      ),
    },
    {
      key: 'email',
      label: 'Электронная почта',
      exported: 'contacts.email',
      width: 184,
      sort: false,
      hidden: true,
      cell: (deal) => deal.contacts.flatMap(({ email }) => email || []).join(', '),
    },
    { key: 'dateCreate', width: 152 },
  ]
}
