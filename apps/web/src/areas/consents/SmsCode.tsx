import { Alert, Skeleton, TextInput } from '@mantine/core'
import type { CodeState } from '@ordinator/model/areas/consents/calls'
import { IconMessage } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatTime } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'

/** Polling interval of a message being delivered. */
const ASK_AGAIN = 5_000

const deliveries: Record<NonNullable<CodeState['sent']>['delivery'], string> = {
  accepted: 'отправлен, ждём доставки',
  delivered: 'доставлен',
  failed: 'не доставлен: проверьте номер или подпишите на бумаге',
  unknown: 'оператор не отвечает: код мог уйти, подождите минуту',
}

interface Props {
  queryKey: readonly unknown[]
  read: (signal: AbortSignal) => Promise<CodeState>
  /** Sends a code. */
  ask: () => Promise<CodeState>
  code: string
  error: string | undefined
  onCode: (code: string) => void
}

/** Sends a code to the signer, and takes it as they read it out. */
export function SmsCode({ queryKey: key, read, ask, code, error, onCode }: Props) {
  const cache = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const [sending, setSending] = useState(false)
  const state = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    refetchInterval: ({ state: { data } }) => (data?.sent?.delivery === 'accepted' ? ASK_AGAIN : false),
  })
  const send = async () => {
    setSending(true)
    setFailure(undefined)
    try {
      cache.setQueryData(key, await ask())
    } catch (error) {
      setFailure(errorMessage(error))
    } finally {
      setSending(false)
    }
  }
  if (state.isError) return <ErrorState error={state.error} onRetry={() => void state.refetch()} />
  if (state.isPending) return <Skeleton h={60} />
  const { isOn, phone, sent } = state.data
  if (!isOn)
    return (
      <Alert color="gray" variant="light">
        СМС не подключены. Подпишите на бумаге.
      </Alert>
    )
  return (
    <>
      <HStack gap="8px 12px" wrap>
        <ActionButton
          label={sent ? 'Отправить ещё раз' : 'Отправить код'}
          variant={sent ? 'default' : 'light'}
          icon={IconMessage}
          loading={sending}
          disabled={phone === null}
          onClick={() => void send()}
        />
        <Fine role="status">
          {phone === null
            ? 'У того, кто подписывает, нет телефона в карте'
            : sent
              ? `Код на ${phone} ${deliveries[sent.delivery]}. Действует до ${formatTime(sent.dateExpires)}`
              : `Код придёт на ${phone}`}
        </Fine>
      </HStack>
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure}
        </Alert>
      )}
      <TextInput
        label="Код из СМС"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        disabled={!sent}
        value={code}
        error={error}
        onChange={(event) => onCode(event.currentTarget.value)}
      />
    </>
  )
}
