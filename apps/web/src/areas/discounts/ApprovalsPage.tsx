import { Badge, Textarea } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { approvalStatuses, DiscountApproval } from '@ordinator/model/areas/discounts/discount'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { one } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useRecord } from '#records/reads.ts'
import type { ColumnSpec } from '#records/table/columns.ts'

type Line = Row<typeof DiscountApproval>

const readAddress = (search: Search) => ({ decide: id(search.decide) })

const colors = { asked: 'blue', approved: 'teal', declined: 'gray' } as const

const approvalFilters = filters(DiscountApproval, {
  status: one({
    label: 'Решение',
    options: { asked: 'Ждут', decided: 'Решённые', all: 'Все' },
    usual: 'asked',
    is: (word) => (word === 'all' ? undefined : word === 'asked' ? { status: 'asked' } : { status: { neq: 'asked' } }),
    segments: true,
  }),
})

/** Согласование скидок: requests and decisions. */
export default function ApprovalsPage() {
  const [deciding, setDeciding] = useState<{ row: Line; agree: boolean }>()
  const actor = useActor()
  const mayDecide = holds(actor, 'approveDiscounts')
  // A notification links here with its request.
  const [{ decide }, setAddress] = useAddress(readAddress)
  const { data: asked } = useRecord(DiscountApproval, decide, { expand: ['user', 'customer'] }, { forbidden: 'silent' })
  const columns: readonly ((keyof typeof DiscountApproval.fields & string) | ColumnSpec<Line>)[] = [
    'dateCreate',
    'idUser',
    'idCustomer',
    { key: 'amount', width: 120 },
    { key: 'reason', width: 300 },
    'idDiscount',
    {
      key: 'status',
      width: 130,
      cell: ({ status }) => (
        <Badge color={colors[status]} variant="light">
          {approvalStatuses[status]}
        </Badge>
      ),
    },
    { key: 'answer', width: 220 },
    ...(mayDecide
      ? [
          {
            key: 'decide',
            label: 'Решить',
            width: 100,
            sort: false as const,
            actions: true,
            cell: (row: Line) =>
              row.status === 'asked' &&
              row.idUser !== actor.id && (
                <HStack gap={4}>
                  <IconButton
                    icon={IconCheck}
                    label={`Согласовать: ${row.reason}`}
                    title="Согласовать"
                    onClick={() => setDeciding({ row, agree: true })}
                  />
                  <IconButton
                    icon={IconX}
                    label={`Отказать: ${row.reason}`}
                    title="Отказать"
                    onClick={() => setDeciding({ row, agree: false })}
                  />
                </HStack>
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      <RegistryPage
        page={pageByKey('discountApprovals')}
        entity={DiscountApproval}
        columns={columns}
        filters={approvalFilters}
      />
      {asked?.status === 'asked' && mayDecide && asked.idUser !== actor.id && !deciding && (
        <Question
          row={asked}
          onChoose={(agree) => setDeciding({ row: asked, agree })}
          onClose={() => setAddress({ decide: undefined }, { replace: true })}
        />
      )}
      {deciding && (
        <Decide
          {...deciding}
          onClose={() => {
            setDeciding(undefined)
            setAddress({ decide: undefined }, { replace: true })
          }}
        />
      )}
    </>
  )
}

interface QuestionProps {
  row: Expanded<typeof DiscountApproval, 'user' | 'customer'>
  onChoose: (agree: boolean) => void
  onClose: () => void
}

/** A request opened from its notification: author, amount, reason; decided by one click. */
function Question({ row, onChoose, onClose }: QuestionProps) {
  const { unit, value, amount, reason, user, customer } = row
  return (
    <Dialog title="Согласовать скидку?" onClose={onClose}>
      <VStack gap={12}>
        <p>
          {user?.shortFio} просит скидку{' '}
          <strong>
            {unit === 'percent' && value !== null ? `${formatNumber(value)} %, до ` : ''}
            {formatMoney(amount)}
          </strong>
          {customer && ` для пациента ${customer.shortFio}`}
        </p>
        <p>{reason}</p>
        <HStack wrap gap={8} justify="flex-end">
          <ActionButton label="Отказать…" icon={IconX} variant="default" onClick={() => onChoose(false)} />
          <ActionButton label="Согласовать" icon={IconCheck} onClick={() => onChoose(true)} />
        </HStack>
      </VStack>
    </Dialog>
  )
}

function Decide({ row, agree, onClose }: { row: Line; agree: boolean; onClose: () => void }) {
  const cache = useQueryClient()
  const [answer, setAnswer] = useState('')
  const run = async () => {
    await api(
      'POST /discounts/approvals/:id/decide',
      { params: { id: row.id }, body: { agree, ...(answer.trim() && { answer }) } },
      { forbidden: 'toast' },
    )
    await invalidateRecords(cache, DiscountApproval.path)
    notify.success(agree ? 'Скидка согласована' : 'В скидке отказано')
  }
  return (
    <ActionDialog
      title={agree ? 'Согласовать скидку' : 'Отказать в скидке'}
      action={agree ? 'Согласовать' : 'Отказать'}
      danger={!agree}
      run={run}
      onClose={onClose}
      faults={{ answer: !agree && !answer.trim() && 'Укажите, почему отказано' }}
    >
      {(errorOf) => (
        <Textarea
          label="Ответ"
          description={agree ? 'Можно оставить пустым' : undefined}
          autosize
          minRows={2}
          maxLength={500}
          value={answer}
          error={errorOf('answer')}
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}
