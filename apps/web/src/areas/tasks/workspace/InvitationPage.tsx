import { Button, Skeleton } from '@mantine/core'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import type { Invitation } from '@ordinator/model/areas/tasks/boardCalls'
import { counted } from '@ordinator/model/format'
import { IconLinkOff, IconUsersPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAddress } from '../../../base/address.ts'
import { api } from '../../../base/api.ts'
import { ApiError, errorMessage } from '../../../base/apiError.ts'
import type { Search } from '../../../base/redirect.ts'
import { notify } from '../../../kit/notify.tsx'
import { StatePage } from '../../../kit/StatePage.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { BoardIcon } from '../boards/BoardIcon.tsx'
import { memberForms } from '../boards/memberForms.ts'
import classes from './InvitationPage.module.css'

/** Where an invitation link leads: what the workspace is, who invites, and the way in. */
export default function InvitationPage() {
  const [{ board, token }] = useAddress(readAddress)
  const client = useQueryClient()
  const navigate: (options: object) => Promise<void> = useNavigate() as never
  const params = { id: board as number }
  const invitation = useQuery({
    queryKey: ['invitation', board, token],
    queryFn: ({ signal }) =>
      api(
        'GET /tasks-management/boards/:id',
        { params, query: { invitation: token } },
        { signal, forbidden: 'silent' },
      ) as Promise<Invitation>,
    enabled: board !== undefined && token !== undefined,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const open = () => navigate({ to: '/tasks', search: { board }, replace: true })
  const join = useMutation({
    mutationFn: () =>
      api('POST /tasks-management/boards/:id', { params, body: { invitation: token } }, { forbidden: 'toast' }),
    onSuccess: async () => {
      await Promise.all([invalidateRecords(client, Board.path), invalidateRecords(client, BoardMember.path)])
      notify.success(`Вы вступили в пространство «${invitation.data?.name}»`)
      await open()
    },
    onError: (error) => {
      notify.error(errorMessage(error))
      void invitation.refetch()
    },
  })
  const isMember = invitation.data?.isMember === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is known
  useEffect(() => {
    if (isMember && !join.isPending && !join.isSuccess) void open()
  }, [isMember])

  const toList = (
    <Button variant="light" renderRoot={(props) => <Link to="/tasks" {...props} />}>
      К моим пространствам
    </Button>
  )
  if (board === undefined || token === undefined || isGone(invitation.error))
    return (
      <StatePage
        icon={IconLinkOff}
        title="Приглашение недействительно"
        text="Ссылка скопирована не целиком, устарела, или пространство удалили. Попросите новую у того, кто вас пригласил."
        actions={toList}
      />
    )
  if (invitation.isError)
    return (
      <StatePage
        icon={IconLinkOff}
        title="Приглашение не открылось"
        text={errorMessage(invitation.error)}
        actions={
          <>
            <Button onClick={() => void invitation.refetch()}>Повторить</Button>
            {toList}
          </>
        }
      />
    )
  const told = invitation.data
  if (!told || told.isMember) return <Skeleton className={classes.waiting} height={180} aria-busy="true" />
  return (
    <StatePage
      icon={IconUsersPlus}
      title="Приглашение в рабочее пространство"
      actions={
        <>
          <Button loading={join.isPending} onClick={() => join.mutate()}>
            Вступить
          </Button>
          {toList}
        </>
      }
    >
      <div className={classes.board}>
        <BoardIcon icon={told.icon} color={told.color} size={40} />
        <div className={classes.text}>
          <div className={classes.name}>{told.name}</div>
          <div className={classes.meta}>
            Владелец: {told.owner}. {counted(told.membersCount, memberForms)}
          </div>
          {told.description && <p className={classes.description}>{told.description}</p>}
        </div>
      </div>
    </StatePage>
  )
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

function readAddress(search: Search): { board?: number; token?: string } {
  const board = Number(search.board)
  return {
    board: Number.isSafeInteger(board) && board > 0 ? board : undefined,
    token: search.token ? String(search.token) : undefined,
  }
}
