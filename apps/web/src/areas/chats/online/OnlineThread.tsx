import { Select, Textarea } from '@mantine/core'
import { CHAT_FILES } from '@ordinator/model/areas/chats/chatFiles'
import { MAX_MESSAGE } from '@ordinator/model/areas/chats/liveAssist'
import {
  EDIT_MINUTES,
  OnlineDialog,
  OnlineFile,
  OnlineMessage,
  onlineKinds,
  onlineStatuses,
  paidStates,
} from '@ordinator/model/areas/chats/online'
import type { PaperKind } from '@ordinator/model/areas/portal/paperCalls'
import { User } from '@ordinator/model/areas/staff/user'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Expanded } from '@ordinator/model/client'
import { formatDay, formatMoney } from '@ordinator/model/format'
import {
  IconArrowForwardUp,
  IconChevronLeft,
  IconCircleCheck,
  IconDots,
  IconFileText,
  IconHandGrab,
  IconLink,
  IconListCheck,
  IconMicrophone,
  IconPaperclip,
  IconPencil,
  IconReceipt,
  IconSend,
  IconTrash,
  IconUser,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../../base/api.ts'
import { errorMessage } from '../../../base/apiError.ts'
import { useDraft } from '../../../base/draft.ts'
import { useAccount } from '../../../base/session.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { ActionDialog } from '../../../kit/ActionDialog.tsx'
import { ActionMenu, MenuItem } from '../../../kit/ActionMenu.tsx'
import { formatDateTime } from '../../../kit/clock.ts'
import { confirm } from '../../../kit/confirm.ts'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { pasteFiles, useFileInput } from '../../../kit/FilePicker.tsx'
import { IconButton } from '../../../kit/IconButton.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { personName, UserAvatar } from '../../../kit/UserAvatar.tsx'
import { UserLink } from '../../../kit/UserLink.tsx'
import { useVoice } from '../../../kit/useVoice.tsx'
import { WordsDialog } from '../../../kit/WordsDialog.tsx'
import { useCan } from '../../../records/Can.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { useEndlessList, useList } from '../../../records/reads.ts'
import { tellFailure } from '../../../records/tellFailure.ts'
import { uploads } from '../../../records/uploads.ts'
import { useUploads } from '../../../records/useUploads.ts'
import { TaskFromDialog } from '../../tasks/index.ts'
import { AnswerFiles } from '../AnswerFiles.tsx'
import { Bubble, Delivery, MessageFiles, useFollow } from '../ChatThread.tsx'
import classes from '../chats.module.css'

const PORTION = 40
const READ_AFTER = 1_000
const QUEUE = 'queue'

export type OpenDialog = Expanded<typeof OnlineDialog, 'user' | 'customer' | 'filial'>
type Line = Expanded<typeof OnlineMessage, 'user' | 'files.file'>

interface Props {
  dialog: OpenDialog
  onClose: () => void
  onAbout: (() => void) | undefined
}

/** What was said with a patient, and where one answers. */
export function OnlineThread({ dialog, onClose, onAbout }: Props) {
  const me = useAccount().user.identity.id
  const name = dialog.customer?.fio ?? 'Пациент'
  const list = useEndlessList(
    OnlineMessage,
    { filter: { idDialog: dialog.id }, expand: ['user', 'files.file'], sort: '-seq', limit: PORTION },
    { forbidden: 'silent', live: [{ path: OnlineDialog.path, id: dialog.id, fields: ['deliveredOut', 'readOut'] }] },
  )
  useReading(dialog, me)
  const [scroller, end, onScroll] = useFollow(list.items[0]?.seq, 0, list.items.length)
  const foreign = dialog.idUser !== null && dialog.idUser !== me
  return (
    <section className={classes.thread} aria-label={`Диалог: ${name}`}>
      <header className={classes.threadHead}>
        <IconButton icon={IconChevronLeft} label="К списку диалогов" className={classes.back} onClick={onClose} />
        <div className={classes.face}>
          <UserAvatar user={{ name }} size={32} />
        </div>
        <div className={classes.who}>
          <h2 className={classes.whoName}>{name}</h2>
          <span className={classes.whoState}>
            {onlineStatuses[dialog.status]},{' '}
            {dialog.idUser === me ? (
              'отвечаете вы'
            ) : dialog.user ? (
              <>
                отвечает <UserLink user={dialog.user} />
              </>
            ) : (
              'никто не отвечает'
            )}
            {dialog.paidState && `, ${paidStates[dialog.paidState].toLowerCase()}`}
          </span>
        </div>
        {onAbout && <IconButton icon={IconUser} label="О пациенте" onClick={onAbout} />}
        <Actions dialog={dialog} me={me} />
      </header>
      <div className={classes.scroll} ref={scroller} onScroll={onScroll}>
        {list.isPending ? (
          <div className={classes.pad}>
            <LinesSkeleton lines={6} />
          </div>
        ) : list.isError ? (
          <ErrorState title="Сообщения не загрузились" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <>
            {list.hasNextPage && (
              <ActionButton
                label="Показать раньше"
                variant="subtle"
                size="compact-sm"
                mx="auto"
                display="block"
                loading={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              />
            )}
            <div role="log" aria-label="Сообщения" aria-live="polite" className={classes.lines}>
              {list.items.toReversed().map((line) => (
                <MessageLine key={line.id} line={line} me={me} />
              ))}
            </div>
          </>
        )}
        <div ref={end} />
      </div>
      {dialog.status === 'closed' ? (
        <p className={classes.system}>{dialog.closeReason ?? 'Диалог закрыт'}</p>
      ) : (
        <Composer key={dialog.id} id={dialog.id} disabled={foreign} onSent={() => void list.refetch()} />
      )}
    </section>
  )
}

function MessageLine({ line, me }: { line: Line; me: number }) {
  const cache = useQueryClient()
  const [editing, setEditing] = useState(false)
  if (line.author === 'system') return <p className={classes.system}>{line.text}</p>
  const isOurs = line.author === 'staff'
  const mayChange =
    line.idUser === me && line.dateRemoved === null && Date.now() - Date.parse(line.dateCreate) < EDIT_MINUTES * 60_000
  const params = { id: line.id }
  const remove = async () => {
    const message = 'У пациента вместо него останется пометка. Вернуть сообщение будет нельзя.'
    if (!(await confirm({ title: 'Удалить сообщение?', message, confirm: 'Удалить', danger: true }))) return
    try {
      await api('POST /service-online/messages/:id/remove', { params })
    } catch (error) {
      tellFailure(error as Error)
    }
    await invalidateRecords(cache, OnlineMessage.path)
  }
  return (
    <Bubble
      side={isOurs ? 'out' : 'in'}
      tone={isOurs ? 'staff' : 'visitor'}
      author={isOurs && line.user && <UserLink user={line.user} />}
      foot={
        <>
          {line.dateEdited && !line.dateRemoved && 'изменено · '}
          {formatDateTime(line.dateCreate)}
          {isOurs && <Delivery state={line.state} />}
          {mayChange && (
            <ActionMenu label="Что сделать с сообщением" icon={IconDots}>
              <MenuItem label="Изменить" icon={IconPencil} onClick={() => setEditing(true)} />
              <MenuItem label="Удалить" icon={IconTrash} onClick={() => void remove()} />
            </ActionMenu>
          )}
        </>
      }
    >
      {(line.dateRemoved || line.text) && (
        <p className={classes.words}>{line.dateRemoved ? <i>Сообщение удалено</i> : line.text}</p>
      )}
      <MessageFiles files={line.files} />
      {editing && (
        <WordsDialog
          title="Изменить сообщение"
          label="Сообщение"
          initial={line.text}
          required
          max={MAX_MESSAGE}
          action="Сохранить"
          onClose={() => setEditing(false)}
          run={async (text) => {
            await api('POST /service-online/messages/:id/edit', { params, body: { text } })
            await invalidateRecords(cache, OnlineMessage.path)
          }}
        />
      )}
    </Bubble>
  )
}

interface Written {
  text: string
  files: { id: number; name: string }[]
}
const nothing: Written = { text: '', files: [] }
const limits = { maxSize: OnlineFile.upload?.maxSize, extensions: OnlineFile.upload?.extensions }

/** Where one answers; what is typed and attached is kept. */
function Composer({ id, disabled, onSent }: { id: number; disabled: boolean; onSent: () => void }) {
  const cache = useQueryClient()
  const key = `dialog:${id}`
  const draft = useDraft<Written>(key)
  const [written, setWritten] = useState<Written>(() => draft.found?.value ?? nothing)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const going = useUploads(key)
  const sent = useRef<{ clientId: string; text: string; files: number[] }>(undefined)
  const write = (next: Written) => {
    setWritten(next)
    setError(undefined)
    if (next.text === '' && next.files.length === 0) draft.drop()
    else draft.keep(next)
  }
  const add = (list: File[]) =>
    uploads.add(
      {
        key,
        stored: OnlineFile,
        whereToLook: 'Откройте диалог, чтобы повторить.',
        take: async (file) => {
          setWritten((now) => ({
            ...now,
            files: [...now.files, { id: file.id, name: String(file.name) }].slice(0, CHAT_FILES),
          }))
        },
      },
      list,
    )
  const [voice, record] = useVoice((file) => add([file]))
  const [input, pick] = useFileInput({ onFiles: add, multiple: true, ...limits })
  const isEmpty = written.text.trim() === '' && written.files.length === 0
  const send = async () => {
    if (isEmpty || busy || going.length > 0) return
    const text = written.text.trim()
    const files = written.files.map((file) => file.id)
    // What did not go is repeated by its own key, so that it stands there once.
    const same = sent.current?.text === text && String(sent.current.files) === String(files)
    const one = same && sent.current ? sent.current : { clientId: crypto.randomUUID(), text, files }
    sent.current = one
    setBusy(true)
    setError(undefined)
    try {
      await api('POST /service-online/:id/messages', { params: { id }, body: one }, { forbidden: 'silent' })
      sent.current = undefined
      setWritten(nothing)
      draft.drop()
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
          if (!event.clipboardData.types.includes('text/plain') && pasteFiles(event.clipboardData, limits, add))
            event.preventDefault()
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

/** What stands in the patient's own room: a paper goes with the answer as a file, what is unpaid is named in it. */
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

function Actions({ dialog, me }: { dialog: OpenDialog; me: number }) {
  const cache = useQueryClient()
  const [opened, setOpened] = useState<'transfer' | 'close' | 'task'>()
  const mayTask = useCan('create', Task)
  const [to, setTo] = useState<string | null>(null)
  const [kind, setKind] = useState<string>(dialog.kind)
  const params = { id: dialog.id }
  const users = useList(
    User,
    { filter: { isBlocked: false }, sort: ['surname', 'id'], limit: 200 },
    { enabled: opened === 'transfer' },
  )
  const again = () => invalidateRecords(cache, OnlineDialog.path)
  if (dialog.status === 'closed') return null
  const take = async () => {
    try {
      await api('POST /service-online/:id/take', { params, body: { from: dialog.idUser } })
    } catch (error) {
      tellFailure(error as Error)
    }
    await again()
  }
  return (
    <>
      {dialog.idUser !== me && <IconButton icon={IconHandGrab} label="Взять диалог" onClick={() => void take()} />}
      {mayTask && <IconButton icon={IconListCheck} label="Задача из диалога" onClick={() => setOpened('task')} />}
      {dialog.paidState === null && (
        <IconButton icon={IconArrowForwardUp} label="Передать диалог" onClick={() => setOpened('transfer')} />
      )}
      <IconButton icon={IconCircleCheck} label="Закрыть диалог" onClick={() => setOpened('close')} />
      {opened === 'transfer' && (
        <ActionDialog
          title="Передать диалог"
          action="Передать"
          onClose={() => setOpened(undefined)}
          run={async () => {
            await api('POST /service-online/:id/transfer', {
              params,
              body: { idUser: to === QUEUE || to === null ? null : Number(to), kind: kind as keyof typeof onlineKinds },
            })
            await again()
          }}
        >
          {(errorOf) => (
            <>
              <Select
                label="Кому"
                searchable
                data={[
                  { value: QUEUE, label: 'Вернуть в очередь' },
                  ...(users.data?.items ?? []).map((user) => ({ value: String(user.id), label: personName(user) })),
                ]}
                value={to}
                onChange={setTo}
                error={errorOf('idUser')}
              />
              <Select
                label="Пациент пишет"
                description="Разговор с врачом видят только этот врач и старший смены"
                data={Object.entries(onlineKinds).map(([value, label]) => ({ value, label }))}
                value={kind}
                allowDeselect={false}
                onChange={(value) => value && setKind(value)}
                error={errorOf('kind')}
              />
            </>
          )}
        </ActionDialog>
      )}
      {opened === 'task' && (
        <TaskFromDialog
          title="Задача из диалога"
          name={dialog.lastMessage?.split('\n')[0] ?? ''}
          note="Задача попадёт в колонку новых; пациент будет в её списке клиентов."
          make={(body) => api('POST /service-online/:id/task', { params, body }, { forbidden: 'toast' })}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened === 'close' && (
        <WordsDialog
          title="Закрыть диалог"
          label="Чем закончился разговор"
          description={
            dialog.paidState === 'paid'
              ? 'Ответа ещё не было: деньги вернутся пациенту. Причину он не увидит'
              : 'Пациент этого не увидит'
          }
          required
          max={300}
          action="Закрыть"
          onClose={() => setOpened(undefined)}
          run={async (reason) => {
            await api('POST /service-online/:id/close', { params, body: { reason } })
            await again()
          }}
        />
      )}
    </>
  )
}

/** Tells that the own dialogue has been read once it has been looked at for a second. */
function useReading({ id, idUser, inCount, readIn, status }: OpenDialog, me: number): void {
  useEffect(() => {
    if (idUser !== me || inCount <= readIn || status === 'closed') return
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible' || !document.hasFocus()) return
      timer = setTimeout(
        () =>
          void api('POST /service-online/:id/read', { params: { id }, body: { no: inCount } }, { quiet: true }).catch(
            () => {},
          ),
        READ_AFTER,
      )
    }
    look()
    window.addEventListener('focus', look)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', look)
    }
  }, [id, idUser, inCount, readIn, status, me])
}
