import { wordsOfHtml } from '@ordinator/model/mentions'
import { IconActivity } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { copyLink } from '#kit/copyLink.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { CommentItem, Moment } from './CommentItem.tsx'
import { Composer } from './Composer.tsx'
import classes from './comments.module.css'
import { type CommentRow, type Discussion, firstNew, isNew, type Thread } from './discussion.ts'
import { useDiscussion } from './useDiscussion.ts'

interface Props {
  discussion: Discussion
  /** The comment a link refers to. */
  sought?: number
  onRead?: () => void
}

/** Comments on a subject: oldest first, with the editor at the bottom. */
export function CommentThread({ discussion, sought, onRead }: Props) {
  const idUser = useAccount().user.identity.id
  const { list, comments, threads, send, edit, remove } = useDiscussion(discussion)
  const section = useRef<HTMLDivElement>(null)
  const [replying, setReplying] = useState<number>()
  const mark = useReading(discussion, comments, section, onRead)
  useSought(section, sought, list)
  const mayWrite = discussion.mayWrite !== false

  if (list.isPending) return <LinesSkeleton lines={4} />
  if (list.isError)
    return <ErrorState title="Комментарии не загрузились" error={list.error} onRetry={() => void list.refetch()} />

  const first = mark === undefined ? undefined : firstNew(threads, mark, idUser)
  const item = (comment: CommentRow, thread: Thread) => (
    <CommentItem
      key={comment.id}
      discussion={discussion}
      comment={comment}
      mine={comment.idUser === idUser}
      isNew={mark !== undefined && isNew(comment, mark, idUser)}
      sought={comment.id === sought}
      onReply={discussion.replies && mayWrite && thread.root ? () => setReplying(thread.id) : undefined}
      onEdit={(written) => edit(comment, written)}
      onRemove={() => remove(comment.id)}
      onCopy={
        discussion.address && (() => void copyLink(discussion.address?.(comment.id) ?? '', 'Ссылка на комментарий'))
      }
    />
  )
  return (
    <div ref={section} className={classes.thread}>
      {list.hasNextPage && (
        <ActionButton
          label="Показать ранние"
          size="compact-sm"
          variant="default"
          className={classes.earlier}
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        />
      )}
      {threads.length === 0 && (
        <p className={classes.dim}>
          {mayWrite ? 'Пока никто ничего не написал. Начните обсуждение.' : 'Комментариев нет'}
        </p>
      )}
      {threads.map((thread) => (
        <div key={thread.id} className={classes.group}>
          {first === thread.id && <p className={classes.divider}>Новые</p>}
          {thread.root?.isSystem ? (
            <SystemLine comment={thread.root} />
          ) : thread.root ? (
            item(thread.root, thread)
          ) : (
            <p className={classes.gone}>
              {list.hasNextPage ? 'Ответы на более ранний комментарий' : 'Комментарий удалён'}
            </p>
          )}
          {(thread.replies.length > 0 || replying === thread.id) && (
            <div className={classes.replies}>
              {thread.replies.map((reply) => item(reply, thread))}
              {replying === thread.id && (
                <Composer
                  discussion={discussion}
                  draft={`reply:${thread.id}`}
                  label="Ответ"
                  send="Ответить"
                  withFiles={discussion.files !== undefined}
                  autoFocus
                  onCancel={() => setReplying(undefined)}
                  onSend={async (written) => {
                    await send(written, thread.id)
                    setReplying(undefined)
                  }}
                />
              )}
            </div>
          )}
        </div>
      ))}
      {mayWrite && (
        <Composer
          discussion={discussion}
          draft="new"
          label="Новый комментарий"
          send="Отправить"
          withFiles={discussion.files !== undefined}
          onSend={async (written) => {
            const id = await send(written)
            show(section.current, id)
          }}
        />
      )}
    </div>
  )
}

/** A system comment: changes of the subject. */
function SystemLine({ comment }: { comment: CommentRow }) {
  return (
    <p className={classes.system} data-comment={comment.id}>
      <IconActivity size={16} stroke={1.5} aria-hidden />
      <span>
        {wordsOfHtml(comment.message)} · <UserLink user={comment.user ?? {}} /> <Moment value={comment.dateCreate} />
      </span>
    </p>
  )
}

/**
 * Marks visible comments as read, and returns the read position at opening: the marker «Новые», which stays while
 * reading.
 */
function useReading(
  { read }: Discussion,
  comments: readonly CommentRow[],
  section: RefObject<HTMLElement | null>,
  onRead: (() => void) | undefined,
): number | undefined {
  const [mark, setMark] = useState<number>()
  const lastRead = useRef(0)
  const last = comments.reduce((max, { id }) => Math.max(max, id), 0)
  const latest = useRef({ read, onRead })
  latest.current = { read, onRead }
  useEffect(() => {
    const element = section.current
    if (!element || !latest.current.read || last <= lastRead.current) return
    let isVisible = false
    const note = async () => {
      if (!isVisible || document.visibilityState !== 'visible' || last <= lastRead.current) return
      lastRead.current = last
      try {
        const answer = await latest.current.read?.(last)
        if (answer) setMark((now) => now ?? answer.before)
        latest.current.onRead?.()
      } catch {
        // The next comment or the next opening marks it.
      }
    }
    const watch = new IntersectionObserver((entries) => {
      isVisible = entries.some((entry) => entry.isIntersecting)
      void note()
    })
    watch.observe(element)
    const wake = () => void note()
    document.addEventListener('visibilitychange', wake)
    return () => {
      watch.disconnect()
      document.removeEventListener('visibilitychange', wake)
    }
  }, [last, section])
  return mark
}

/** Scrolls to the comment of a link, loading earlier ones until it is there. */
function useSought(
  section: RefObject<HTMLElement | null>,
  sought: number | undefined,
  list: {
    isSuccess: boolean
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => Promise<unknown>
  },
): void {
  const done = useRef<number>(undefined)
  useEffect(() => {
    if (!sought || done.current === sought || !list.isSuccess || list.isFetchingNextPage) return
    if (show(section.current, sought)) done.current = sought
    else if (list.hasNextPage) void list.fetchNextPage()
    else {
      done.current = sought
      notify.info('Комментарий по ссылке не найден: его удалили')
    }
  })
}

function show(section: HTMLElement | null, id: number): boolean {
  const comment = section?.querySelector<HTMLElement>(`[data-comment="${id}"]`)
  comment?.scrollIntoView({ block: 'center' })
  return comment !== null && comment !== undefined
}
