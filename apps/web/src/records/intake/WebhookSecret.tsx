import { Alert, Code, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, type CallName } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyField } from '#kit/CopyField.tsx'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '../keys.ts'
import classes from './WebhookSecret.module.css'

/** Entities whose records have a secret. */
type DoorPath = CallName extends infer N ? (N extends `POST /${infer P}/:id/secret` ? P : never) : never

interface Props {
  entity: { path: DoorPath }
  intake: { id: number; hasSecret: boolean }
  /** Texts on the use of the secret; default: for an incoming webhook. */
  words?: { keep: string; signed: ReactNode; unset: string }
  /** An example of a signed request, below the new secret. */
  children?: ReactNode
}

const fromOutside = {
  keep: 'Сохраните его у отправителя.',
  signed: (
    <>
      Подпись тела запроса: заголовок <Code>X-Signature: sha256=…</Code> — HMAC-SHA256 в шестнадцатеричном виде.
    </>
  ),
  unset: 'Секрет подписи не задан: запросы не принимаются',
}

/** The secret that signs a webhook's requests; a new one is shown once. */
export function WebhookSecret({ entity, intake, words = fromOutside, children }: Props) {
  const cache = useQueryClient()
  const [secret, setSecret] = useState<string>()
  const renew = async () => {
    const question = {
      title: 'Заменить секрет?',
      message:
        'Прежний сразу перестанет подходить: запросы с ним не пройдут проверку, пока новый не впишут у второй стороны.',
      confirm: 'Заменить',
      danger: true,
    }
    if (intake.hasSecret && !(await confirm(question))) return
    try {
      const made = await api(`POST /${entity.path}/:id/secret`, { params: { id: intake.id } }, { forbidden: 'toast' })
      setSecret(made.secret)
      await invalidateRecords(cache, entity.path)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Секрет не создан' })
    }
  }
  return (
    <div className={classes.secret}>
      {secret ? (
        <Alert color="yellow" classNames={{ title: classes.shown }} title={`Секрет показан один раз. ${words.keep}`}>
          <CopyField label="Секрет" value={secret} />
          {words.signed}
        </Alert>
      ) : (
        <Group gap={8}>
          <span>{intake.hasSecret ? 'Секрет подписи задан' : words.unset}</span>
          <ActionButton
            label={intake.hasSecret ? 'Заменить секрет' : 'Создать секрет'}
            size="compact-sm"
            variant="default"
            onClick={() => void renew()}
          />
        </Group>
      )}
      {children}
    </div>
  )
}
