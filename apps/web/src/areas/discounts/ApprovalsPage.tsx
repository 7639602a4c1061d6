import { Badge, Textarea } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { approvalStatuses, DiscountApproval } from '@ordinator/model/areas/discounts/discount'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../base/api.ts'
import { useActor } from '../../base/session.ts'
import { ActionDialog } from '../../kit/ActionDialog.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { notify } from '../../kit/notify.tsx'
import { HStack } from '../../kit/Stacks.tsx'
import { one } from '../../records/filters/choice.tsx'
import { filters } from '../../records/filters/filters.ts'
import { invalidateRecords } from '../../records/keys.ts'
import { RegistryPage } from '../../records/RegistryPage.tsx'
import type { ColumnSpec } from '../../records/table/columns.ts'

type Line = Row<typeof DiscountApproval>

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

/** Согласование скидок: what one person asks for and another decides. */
export default function ApprovalsPage() {
  const [deciding, setDeciding] = useState<{ row: Line; agree: boolean }>()
  const actor = useActor()
  const mayDecide = holds(actor, 'approveDiscounts')
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
      {deciding && <Decide {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
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
