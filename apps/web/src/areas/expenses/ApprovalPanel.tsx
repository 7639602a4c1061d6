import { Alert, SegmentedControl, Textarea, Timeline } from '@mantine/core'
import { Expense, ExpenseApproval } from '@ordinator/model/areas/expenses/expense'
import { approvalStatuses, expenseSources } from '@ordinator/model/areas/expenses/states'
import { BankAccount } from '@ordinator/model/areas/filials/organization'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { IconArrowBackUp, IconCash, IconCheck, IconSend, IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DeskSelect, useDesks, useOperationKey } from '#areas/money/index.ts'
import { monthName } from '#areas/payroll/index.ts'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDate, formatDateTime } from '#kit/clock.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useList, useRecord } from '#records/reads.ts'
import { ExpenseStatusBadge } from './ExpenseStatusBadge.tsx'
import classes from './Expenses.module.css'

type ExpenseRow = Row<typeof Expense>

/** State of an expense, its approvals, and available steps. */
export function ApprovalPanel({ expense }: { expense: ExpenseRow }) {
  const cache = useQueryClient()
  const mayEdit = useCan('update', Expense)
  const [asked, setAsked] = useState<'refuse' | 'pay'>()
  const list = useList(ExpenseApproval, {
    filter: { idExpense: expense.id },
    sort: 'order',
    expand: ['user'],
    limit: 50,
  })
  const refresh = () =>
    Promise.all([invalidateRecords(cache, Expense.path), invalidateRecords(cache, ExpenseApproval.path)])
  const act = useMutation({
    mutationFn: (what: 'submit' | 'withdraw' | 'approve') => {
      const params = { id: expense.id }
      if (what === 'approve') return api('POST /expenses/:id/decide', { params, body: { approved: true } })
      if (what === 'submit') return api('POST /expenses/:id/submit', { params, body: {} })
      return api('POST /expenses/:id/withdraw', { params, body: {} })
    },
    onError: notifyFailure,
    onSettled: refresh,
  })
  const { status } = expense
  return (
    <VStack gap={16}>
      <HStack wrap gap="8px 16px">
        <b className="tabular" style={{ fontSize: 22 }}>
          {formatMoney(expense.sum)}
        </b>
        <ExpenseStatusBadge status={status} />
        {expense.vatSum ? <Fine>в том числе НДС {formatMoney(expense.vatSum)}</Fine> : null}
      </HStack>
      {status === 'rejected' && expense.refusal && (
        <Alert color="red" variant="light" title="Не согласован">
          {expense.refusal}
        </Alert>
      )}
      <HStack wrap gap={8}>
        {mayEdit && (status === 'plan' || status === 'rejected') && (
          <ActionButton
            label="На согласование"
            icon={IconSend}
            loading={act.isPending}
            onClick={() => act.mutate('submit')}
          />
        )}
        {expense.waitsForMe && (
          <>
            <ActionButton
              label="Согласовать"
              icon={IconCheck}
              loading={act.isPending}
              onClick={() => act.mutate('approve')}
            />
            <ActionButton label="Отклонить" reverse icon={IconX} variant="default" onClick={() => setAsked('refuse')} />
          </>
        )}
        {mayEdit && status === 'approved' && (
          <ActionButton label="Оплатить" icon={IconCash} onClick={() => setAsked('pay')} />
        )}
        {mayEdit && (status === 'approved' || status === 'toApprove') && (
          <ActionButton
            label="Вернуть в план"
            reverse
            icon={IconArrowBackUp}
            variant="default"
            onClick={() => act.mutate('withdraw')}
          />
        )}
      </HStack>
      <About id={expense.id} />
      <Timeline bulletSize={18} lineWidth={2}>
        <Timeline.Item title="Внесён">
          <Fine>{formatDate(expense.dateCreate)}</Fine>
        </Timeline.Item>
        {(list.data?.items ?? []).map((one) => (
          <Timeline.Item
            key={one.id}
            title={`${one.user?.shortFio ?? ''}: ${approvalStatuses[one.status].toLowerCase()}`}
            color={one.status === 'approved' ? 'teal' : one.status === 'rejected' ? 'red' : 'gray'}
          >
            <Fine>{[one.dateDecided && formatDateTime(one.dateDecided), one.comment].filter(Boolean).join(' · ')}</Fine>
          </Timeline.Item>
        ))}
        {expense.dateApproved && (
          <Timeline.Item title="Согласован" color="teal">
            <Fine>{formatDate(expense.dateApproved)}</Fine>
          </Timeline.Item>
        )}
        {expense.datePaid && (
          <Timeline.Item title={`Оплачен ${expenseSources[expense.payFrom].toLowerCase()}`} color="teal">
            <Fine>{formatDay(expense.datePaid)}</Fine>
          </Timeline.Item>
        )}
      </Timeline>
      {asked === 'refuse' && <RefuseDialog expense={expense} onDone={refresh} onClose={() => setAsked(undefined)} />}
      {asked === 'pay' && <PayDialog expense={expense} onDone={refresh} onClose={() => setAsked(undefined)} />}
    </VStack>
  )
}

/** Details of the expense, for its approvers. */
function About({ id }: { id: number }) {
  const { data } = useRecord(Expense, id, { expand: ['article', 'filial', 'contractor', 'responsible', 'author'] })
  if (!data) return <LinesSkeleton lines={3} />
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Статья', data.article?.name],
    ['Филиал', data.filial?.nameFilial ?? 'Вся клиника'],
    ['За месяц', data.month && monthName(data.month)],
    ['Кому', data.contractor?.shortName],
    ['Документ', data.number],
    ['Ответственный', data.responsible && <UserLink user={data.responsible} />],
    ['Кто внёс', data.author && <UserLink user={data.author} />],
    ['Примечание', data.note],
  ]
  return (
    <dl className={classes.about}>
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

interface DialogProps {
  expense: ExpenseRow
  onDone: () => Promise<unknown>
  onClose: () => void
}

function RefuseDialog({ expense, onDone, onClose }: DialogProps) {
  const [comment, setComment] = useState('')
  const run = async () => {
    await api('POST /expenses/:id/decide', {
      params: { id: expense.id },
      body: { approved: false, comment: comment.trim() },
    })
    await onDone()
  }
  return (
    <ActionDialog
      title="Отклонить расход"
      action="Отклонить"
      danger
      faults={{ comment: comment.trim() === '' && 'Скажите, почему' }}
      run={run}
      onClose={onClose}
    >
      {(errorOf) => (
        <Textarea
          label="Почему"
          required
          autosize
          minRows={2}
          maxLength={500}
          value={comment}
          error={errorOf('comment')}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}

function PayDialog({ expense, onDone, onClose }: DialogProps) {
  const [key] = useOperationKey()
  const [payFrom, setFrom] = useState(expense.payFrom)
  const [idBankAccount, setAccount] = useState(expense.idBankAccount)
  const { desks, desk, setDesk } = useDesks(expense.idDesk ?? undefined, expense.idFilial ?? undefined)
  const run = async () => {
    await api('POST /expenses/:id/pay', {
      params: { id: expense.id },
      body: {
        key,
        payFrom,
        ...(payFrom === 'desk' ? { idDesk: desk?.id } : { idBankAccount: idBankAccount ?? undefined }),
      },
    })
    await onDone()
  }
  return (
    <ActionDialog title={`Оплатить ${formatMoney(expense.sum)}`} action="Оплачено" run={run} onClose={onClose}>
      {(errorOf) => (
        <>
          <SegmentedControl
            aria-label="Откуда"
            data={Object.entries(expenseSources).map(([value, label]) => ({ value, label }))}
            value={payFrom}
            onChange={(value) => setFrom(value as ExpenseRow['payFrom'])}
          />
          {payFrom === 'desk' ? (
            <>
              <DeskSelect desks={desks} desk={desk} onChange={setDesk} />
              <Fine>Деньги изымаются в открытой смене этой кассы</Fine>
            </>
          ) : (
            <RefSelect
              label="Счёт"
              description="Пусто — основной счёт организации"
              to={BankAccount.path}
              value={idBankAccount}
              error={errorOf('idBankAccount')}
              onChange={setAccount}
            />
          )}
        </>
      )}
    </ActionDialog>
  )
}
