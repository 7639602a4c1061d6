import { ActionIcon, Alert, Badge, Button, Code, CopyButton, Group, TextInput } from '@mantine/core'
import { Intake, intakeKinds } from '@ordinator/model/areas/sales/intake'
import type { Row } from '@ordinator/model/entity'
import { IconCheck, IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../app/apiError.ts'
import { http } from '../../../app/http.ts'
import { EmptyState } from '../../../kit/EmptyState.tsx'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { notify } from '../../../kit/notify.tsx'
import { SidePanel } from '../../../kit/SidePanel.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { RecordField } from '../../../records/form/RecordField.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { RecordForm } from '../../../records/RecordForm.tsx'
import { useList } from '../../../records/reads.ts'
import { useRemove } from '../../../records/writes.ts'
import classes from './Requests.module.css'

type IntakeRow = Row<typeof Intake>
const fields = ['name', 'kind', 'isActive', 'idFunnel', 'idSource', 'title', 'thanks']

/** The doors by which requests come in: their addresses, secrets and words. */
export function IntakePanel({ onClose }: { onClose: () => void }) {
  const [editing, setEditing] = useState<number | 'new'>()
  const list = useList(Intake, { sort: 'name', limit: 100 }, { forbidden: 'silent' })
  const intakes = list.data?.items ?? []
  const form = (intake?: IntakeRow) => (
    <div className={classes.form}>
      <RecordForm
        entity={Intake}
        record={intake}
        onSaved={() => setEditing(undefined)}
        onCancel={() => setEditing(undefined)}
      >
        {fields.map((name, at) => (
          <RecordField key={name} name={name} autoFocus={at === 0} />
        ))}
      </RecordForm>
    </div>
  )
  return (
    <SidePanel opened onClose={onClose} title="Приём заявок">
      {list.isPending && <LinesSkeleton lines={4} />}
      {list.isError && (
        <ErrorState title="Приёмы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && intakes.length === 0 && editing === undefined && (
        <EmptyState title="Приёмов нет" text="Форма на сайте или вебхук — и заявки придут сюда сами." />
      )}
      <ul className={classes.list}>
        {intakes.map((intake) =>
          editing === intake.id ? (
            <li key={intake.id}>{form(intake)}</li>
          ) : (
            <IntakeItem key={intake.id} intake={intake} onEdit={() => setEditing(intake.id)} />
          ),
        )}
      </ul>
      {editing === 'new' ? (
        form()
      ) : (
        <Button mt="md" variant="default" leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
          Новый приём
        </Button>
      )}
    </SidePanel>
  )
}

function IntakeItem({ intake, onEdit }: { intake: IntakeRow; onEdit: () => void }) {
  const cache = useQueryClient()
  const [secret, setSecret] = useState<string>()
  const remove = useRemove(Intake, { message: `Приём «${intake.name}» удалён` })
  const address = `${location.origin}/intake/${intake.key}`
  const renew = async () => {
    try {
      const made = await http.post<{ secret: string }>(
        `/${Intake.path}/${intake.id}/secret`,
        {},
        { forbidden: 'toast' },
      )
      setSecret(made.secret)
      await invalidateRecords(cache, Intake.path)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Секрет не создан' })
    }
  }
  return (
    <li className={classes.item}>
      <div className={classes.face}>
        <div className={classes.who}>
          <strong className={classes.name}>{intake.name}</strong>
          <span className={classes.meta}>
            <span>{intakeKinds[intake.kind]}</span>
            {!intake.isActive && <Badge color="gray">Выключен</Badge>}
          </span>
        </div>
        <Group gap={4}>
          <ActionIcon variant="subtle" color="gray" aria-label={`Изменить: ${intake.name}`} onClick={onEdit}>
            <IconPencil size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Удалить: ${intake.name}`}
            onClick={() => remove.mutate(intake.id)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </div>
      <Copied label={intake.kind === 'form' ? 'Адрес для отправки формы' : 'Адрес вебхука'} value={address} />
      {intake.kind === 'form' && (
        <>
          <Copied label="Готовая страница с формой" value={`${address}/form`} />
          <Copied
            label="Код для сайта"
            value={`<iframe src="${address}/form" width="100%" height="480" title="Оставить заявку"></iframe>`}
          />
        </>
      )}
      {intake.kind === 'webhook' && (
        <div className={classes.secret}>
          {secret ? (
            <Alert color="yellow" title="Секрет показан один раз. Сохраните его у отправителя.">
              <Copied label="Секрет" value={secret} />
              Подпись тела запроса: заголовок <Code>X-Signature: sha256=…</Code> — HMAC-SHA256 в шестнадцатеричном виде.
            </Alert>
          ) : (
            <Group gap={8}>
              <span>
                {intake.hasSecret ? 'Секрет подписи задан' : 'Секрет подписи не задан: запросы не принимаются'}
              </span>
              <Button size="compact-sm" variant="default" onClick={() => void renew()}>
                {intake.hasSecret ? 'Заменить секрет' : 'Создать секрет'}
              </Button>
            </Group>
          )}
        </div>
      )}
    </li>
  )
}

function Copied({ label, value }: { label: string; value: string }) {
  return (
    <TextInput
      size="xs"
      mt={8}
      label={label}
      value={value}
      readOnly
      onFocus={(event) => event.currentTarget.select()}
      rightSectionPointerEvents="all"
      rightSection={
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <ActionIcon variant="subtle" color="gray" aria-label={`Скопировать: ${label}`} onClick={copy}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          )}
        </CopyButton>
      }
    />
  )
}
