import { Textarea } from '@mantine/core'
import { CHAT_FILES } from '@ordinator/model/areas/chats/chatFiles'
import { OnlineDialog, OnlineFile } from '@ordinator/model/areas/chats/online'
import type { PaperKind } from '@ordinator/model/areas/portal/paperCalls'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { IconFileText, IconLink, IconMicrophone, IconPaperclip, IconReceipt, IconSend } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { AnswerFiles } from '../AnswerFiles.tsx'
import classes from '../composer/composer.module.css'
import { useAttaching } from '../composer/useAttaching.ts'
import { nothing, useWritten, type Written } from '../composer/written.ts'

const target = { stored: OnlineFile, whereToLook: 'Откройте диалог, чтобы повторить.' }

/** Composer; text and attachments are kept as a draft. */
export function OnlineComposer({ id, disabled, onSent }: { id: number; disabled: boolean; onSent: () => void }) {
  const cache = useQueryClient()
  const key = `dialog:${id}`
  const { written, write: keep, setWritten } = useWritten(key)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const sent = useRef<{ clientId: string; text: string; files: number[] }>(undefined)
  const write = (next: Written) => {
    keep(next)
    setError(undefined)
  }
  const { going, voice, record, input, pick, paste } = useAttaching(key, setWritten, target)
  const isEmpty = written.text.trim() === '' && written.files.length === 0
  const send = async () => {
    if (isEmpty || busy || going.length > 0) return
    const text = written.text.trim()
    const files = written.files.map((file) => file.id)
    // A retry uses the same key, so that the message is stored once.
    const same = sent.current?.text === text && String(sent.current.files) === String(files)
    const one = same && sent.current ? sent.current : { clientId: crypto.randomUUID(), text, files }
    sent.current = one
    setBusy(true)
    setError(undefined)
    try {
      await api('POST /service-online/:id/messages', { params: { id }, body: one }, { forbidden: 'silent' })
      sent.current = undefined
      keep(nothing)
      onSent()
      await invalidateRecords(cache, OnlineDialog.path)
    } catch (refused) {
      setError(errorMessage(refused))
    }
    setBusy(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <div className={classes.composer}>
      <Textarea
        aria-label="Ответ пациенту"
        placeholder={disabled ? 'Диалог ведёт другой сотрудник' : 'Ответ пациенту. Enter — отправить'}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4096}
        value={written.text}
        error={error}
        disabled={disabled}
        onChange={(event) => write({ ...written, text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          if (!event.clipboardData.types.includes('text/plain') && paste(event.clipboardData)) event.preventDefault()
        }}
      />
      <AnswerFiles
        files={written.files}
        going={going}
        onRemove={(file) => write({ ...written, files: written.files.filter((one) => one.id !== file.id) })}
      />
      {!disabled && voice}
      <div className={classes.tools}>
        {!disabled && (
          <>
            {input}
            <IconButton icon={IconPaperclip} label="Прикрепить файл" onClick={pick} />
            <IconButton icon={IconMicrophone} label="Записать голос" onClick={record} disabled={!record} />
            <Things
              id={id}
              onPick={(words) => write({ ...written, text: [written.text.trim(), words].filter(Boolean).join('\n') })}
              onAttach={async (kind, idPaper) => {
                try {
                  const file = await api(
                    'POST /service-online/:id/papers',
                    { params: { id }, body: { kind, id: idPaper } },
                    { forbidden: 'silent' },
                  )
                  setWritten((now) => ({ ...now, files: [...now.files, file].slice(0, CHAT_FILES) }))
                } catch (refused) {
                  setError(errorMessage(refused))
                }
              }}
            />
          </>
        )}
        <ActionButton
          label="Отправить"
          icon={IconSend}
          ml="auto"
          loading={busy}
          disabled={disabled || isEmpty || going.length > 0}
          onClick={() => void send()}
        />
      </div>
    </div>
  )
}

interface ThingsProps {
  id: number
  onPick: (words: string) => void
  onAttach: (kind: PaperKind, id: number) => Promise<void>
}

/** Attaches records of the patients' room: a paper as a file, unpaid services as text. */
function Things({ id, onPick, onAttach }: ThingsProps) {
  const [opened, setOpened] = useState(false)
  const asked = useQuery({
    queryKey: ['service-online', id, 'things'],
    queryFn: ({ signal }) => api('GET /service-online/:id/things', { params: { id } }, { signal, forbidden: 'silent' }),
    enabled: opened,
    staleTime: 0,
  })
  const { papers = [], unpaid = null } = asked.data ?? {}
  const isEmpty = asked.data !== undefined && papers.length === 0 && unpaid === null
  return (
    <ActionMenu label="Приложить документ или счёт" icon={IconLink} onChange={setOpened}>
      {asked.isPending && <MenuItem label="Загружаем…" disabled />}
      {asked.isError && <MenuItem label={errorMessage(asked.error)} disabled />}
      {isEmpty && <MenuItem label="В кабинете пациента ничего нет" disabled />}
      {unpaid && (
        <MenuItem
          label={`К оплате ${formatMoney(unpaid.sum)}`}
          icon={IconReceipt}
          onClick={() => onPick(`К оплате ${formatMoney(unpaid.sum)}: откройте «Счёт» внизу этой страницы.`)}
        />
      )}
      {papers.map(({ kind, id: idPaper, name, day }) => (
        <MenuItem
          key={`${kind} ${idPaper}`}
          label={`${name}, ${formatDay(day)}`}
          icon={IconFileText}
          onClick={() => void onAttach(kind, idPaper)}
        />
      ))}
    </ActionMenu>
  )
}
