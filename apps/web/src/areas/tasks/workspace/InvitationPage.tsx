import { Box, Button, Skeleton, Text } from '@mantine/core'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import type { Invitation } from '@ordinator/model/areas/tasks/boardCalls'
import { counted } from '@ordinator/model/format'
import { IconLinkOff, IconUsersPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAddress, useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { BoardIcon } from '../boards/BoardIcon.tsx'
import { memberForms } from '../boards/memberForms.ts'

/** Target of an invitation link: workspace, inviting user, and joining. */
export default function InvitationPage() {
  const [{ board, token }] = useAddress(readAddress)
  const client = useQueryClient()
  const go = useGo()
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
  const open = () => go({ page: 'tasks', search: { board } }, { replace: true })
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
    <ActionButton
      label="К моим пространствам"
      variant="light"
      renderRoot={(props) => <PageLink page="tasks" {...props} />}
    />
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
  const shown = invitation.data
  if (!shown || shown.isMember)
    return <Skeleton mx="auto" mt={120} w="min(440px, calc(100% - 32px))" height={180} aria-busy="true" />
  return (
    <StatePage
      icon={IconUsersPlus}
      title="Приглашение в рабочее пространство"
      actions={
        <>
          <ActionButton label="Вступить" loading={join.isPending} onClick={() => join.mutate()} />
          {toList}
        </>
      }
    >
      <HStack gap={12} align="stretch" framed p={16} ta="left" w="min(440px, 100%)">
        <BoardIcon icon={shown.icon} color={shown.color} size={40} />
        <Box miw={0} flex={1}>
          <Text component="div" fw={600} className="breaks">
            {shown.name}
          </Text>
          <Fine component="div">
            Владелец: <UserLink user={{ id: shown.idOwner, shortFio: shown.owner }} />.{' '}
            {counted(shown.membersCount, memberForms)}
          </Fine>
          {shown.description && (
            <Text mt={8} className="breaks lines">
              {shown.description}
            </Text>
          )}
        </Box>
      </HStack>
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
