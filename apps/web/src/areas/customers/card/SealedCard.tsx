import { Textarea } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { counted } from '@ordinator/model/format'
import { OPENED_HOURS, REASON, SEALED } from '@ordinator/model/sealed'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { invalidateRecords } from '#records/keys.ts'

interface Props {
  idCustomer: number
  /** Rendered as part of a page; otherwise as the page. */
  isPart?: boolean
  onOpened?: () => void
}

/** True when access was denied because the card needs a reason. */
export const isSealed = (error: unknown): boolean => error instanceof ApiError && error.code === SEALED

/** The card that must be opened for a reason first, by the refusal of a record that refers to it. */
export const sealedCardOf = (error: unknown): number | undefined =>
  isSealed(error) && typeof (error as ApiError).answer?.sealed === 'number'
    ? ((error as ApiError).answer?.sealed as number)
    : undefined

/** Restricted card: requires a reason to open it. */
export function SealedCard({ idCustomer, isPart = false, onOpened }: Props) {
  const cache = useQueryClient()
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)

  const open = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await api('POST /customers/:id/open', { params: { id: idCustomer }, body: { reason } }, { forbidden: 'toast' })
      await invalidateRecords(cache, Customer.path)
      onOpened?.()
    } catch (error) {
      setFault((error instanceof ApiError && error.byField.reason) || errorMessage(error))
    }
    setBusy(false)
  }
  return (
    <StatePage
      size={isPart ? 'block' : 'page'}
      icon={IconLock}
      title="Доступ к карте ограничен"
      text={`Это карта сотрудника клиники или VIP. Напишите, зачем она нужна: причину увидит руководитель. Карта откроется вам на ${counted(OPENED_HOURS, ['час', 'часа', 'часов'])}.`}
    >
      <form noValidate onSubmit={(event) => void open(event)} style={{ width: '100%', maxWidth: 420 }}>
        <VStack gap={12} align="stretch" mt={8}>
          <Textarea
            label="Причина"
            placeholder="Например: приём сегодня в 15:00"
            ta="left"
            required
            autosize
            minRows={2}
            maxRows={6}
            maxLength={REASON.max}
            value={reason}
            error={fault}
            autoFocus={!isPart}
            onChange={(event) => {
              setReason(event.currentTarget.value)
              setFault(undefined)
            }}
          />
          <ActionButton label="Открыть карту" type="submit" icon={IconLockOpen} loading={busy} />
        </VStack>
      </form>
    </StatePage>
  )
}
