import { Alert, Group } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { type CashDesk, hasOwnShifts } from '@ordinator/model/areas/money/desk'
import { fiscalKinds, fiscalStatuses } from '@ordinator/model/areas/money/fiscal'
import type { Row } from '@ordinator/model/entity'
import { IconAlertTriangle, IconLockOpen, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { ReasonField } from '../ReasonField.tsx'
import { readMoney, type useDeskState } from '../reads.ts'
import classes from './Cash.module.css'

type State = NonNullable<ReturnType<typeof useDeskState>['data']>
type Waiting = State['queue'][number]

interface Props {
  desk: Pick<Row<typeof CashDesk>, 'id' | 'kktMode'>
  state: State
}

/** Documents waiting for the register, with reasons and actions. */
export function ReceiptQueue({ desk, state: { queue, trouble, waiting, unknown } }: Props) {
  const mayWork = allowed(useActor(), 'takePayments')
  const cache = useQueryClient()
  const [out, setOut] = useState<Waiting>()
  const act = async (what: 'repeat' | 'openShift') => {
    try {
      await api('POST /cash-desks/:id/queue', { params: { id: desk.id }, body: { act: what } }, { forbidden: 'toast' })
    } catch (error) {
      notify.error(errorMessage(error))
    }
    await readMoney(cache)
  }
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
      <VStack gap={8}>
        <div>
          {waiting > 0 && `Чеков в очереди: ${waiting}. `}
          {unknown > 0 && `Неизвестно, пробиты ли: ${unknown}. `}
          {trouble ? 'Оплату принимать можно: чеки пробьются, когда регистратор ответит.' : ''}
        </div>
        <ul className={classes.queue} aria-label="Очередь кассы">
          {queue.map((task) => (
            <li key={task.id}>
              {fiscalKinds[task.kind]}
              {task.idPayment !== null && ` по платежу № ${task.idPayment}`}
              {`: ${task.error ?? fiscalStatuses[task.status].toLowerCase()}`}
              {mayWork && task.status === 'queued' && (
                <ActionButton label="Снять…" variant="subtle" size="compact-sm" onClick={() => setOut(task)} />
              )}
            </li>
          ))}
        </ul>
        {mayWork && (
          <Group gap={8}>
            <ActionButton
              label="Повторить сейчас"
              icon={IconRefresh}
              variant="default"
              onClick={() => void act('repeat')}
            />
            {!hasOwnShifts(desk.kktMode) && (
              <ActionButton
                label="Открыть смену регистратора"
                icon={IconLockOpen}
                variant="default"
                onClick={() => void act('openShift')}
              />
            )}
          </Group>
        )}
      </VStack>
      {out && <TakeOutDialog task={out} onClose={() => setOut(undefined)} />}
    </Alert>
  )
}

function TakeOutDialog({ task: { id, kind, idPayment }, onClose }: { task: Waiting; onClose: () => void }) {
  const cache = useQueryClient()
  const [reason, setReason] = useState('')
  return (
    <ActionDialog
      title={`Снять с очереди: ${fiscalKinds[kind]}`}
      action="Снять"
      danger
      faults={{ reason: reason.trim() === '' && 'Укажите причину' }}
      run={async () => {
        await api(
          'POST /fiscal-tasks/:id/take-out',
          { params: { id }, body: { reason: reason.trim() } },
          { forbidden: 'silent' },
        )
        await readMoney(cache)
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <p>
            {idPayment === null
              ? 'Документ не будет отправлен на регистратор.'
              : `Чек по платежу № ${idPayment} не будет пробит, пока его не отправят снова.`}
          </p>
          <ReasonField value={reason} error={errorOf('reason')} onChange={setReason} />
        </>
      )}
    </ActionDialog>
  )
}
