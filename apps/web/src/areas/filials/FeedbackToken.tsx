import { Input, PasswordInput } from '@mantine/core'
import { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDate } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useSave } from '#records/writes.ts'

/** Token of the feedback service: whether it is set, and a replacement. Never shown. */
export function FeedbackToken({ filial }: { filial: Pick<Row<typeof Filial>, 'id' | 'dateFeedbackToken'> }) {
  const { label } = Filial.fields.feedbackToken.options
  const [asking, setAsking] = useState(false)
  const [token, setToken] = useState('')
  const save = useSave(Filial, { optimistic: false, toast: false })
  const since = filial.dateFeedbackToken
  const put = async (feedbackToken: string) => {
    await save.mutateAsync({ id: filial.id, feedbackToken })
    notify.success(feedbackToken ? 'Токен сохранён' : 'Токен убран')
  }
  return (
    <Input.Wrapper label={label} labelElement="div">
      <HStack wrap mih={32}>
        <span>{since ? `Задан ${formatDate(since)}` : 'Не задан'}</span>
        <ActionButton
          label={since ? 'Заменить' : 'Задать'}
          aria-label={`${since ? 'Заменить' : 'Задать'}: ${label}`}
          size="compact-sm"
          variant="default"
          onClick={() => setAsking(true)}
        />
      </HStack>
      {asking && (
        <ActionDialog
          title={label}
          action="Сохранить"
          disabled={token.trim() === ''}
          more={
            since && (
              <ActionButton
                label="Убрать токен"
                variant="subtle"
                color="red"
                onClick={() => void put('').then(() => setAsking(false))}
              />
            )
          }
          run={() => put(token.trim())}
          onClose={() => {
            setAsking(false)
            setToken('')
          }}
        >
          {(errorOf) => (
            <PasswordInput
              label="Новый токен"
              description="Выдаёт сервис отзывов. После сохранения увидеть его будет нельзя, только заменить"
              autoComplete="off"
              data-autofocus
              value={token}
              error={errorOf('feedbackToken')}
              onChange={(event) => setToken(event.currentTarget.value)}
            />
          )}
        </ActionDialog>
      )}
    </Input.Wrapper>
  )
}
