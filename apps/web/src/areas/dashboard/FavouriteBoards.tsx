import { Text } from '@mantine/core'
import { Board } from '@ordinator/model/areas/tasks/board'
import { BoardIcon } from '#areas/tasks/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { WidgetCard } from '#kit/WidgetCard.tsx'
import { useList } from '#records/reads.ts'
import classes from './DashboardPage.module.css'

const MAX = 12

/** Links to favourite workspaces. */
export function FavouriteBoards() {
  const list = useList(
    Board,
    { filter: { isFavourite: true }, limit: MAX, sort: 'name' },
    { forbidden: 'silent', known: true },
  )
  useRevealDelay(list.isPending)
  const boards = list.data?.items ?? []
  return (
    <WidgetCard
      title="Избранные пространства"
      busy={list.isPending}
      none={
        list.isSuccess &&
        boards.length === 0 && (
          <>
            Отметьте пространство звездой в разделе <PageLink page="tasks">«Задачи»</PageLink>, и оно будет здесь.
          </>
        )
      }
    >
      <ul>
        {boards.map((board) => (
          <li key={board.id}>
            <PageLink page="tasks" search={{ board: board.id }} className={classes.board}>
              <BoardIcon icon={board.icon} color={board.color} size={28} />
              <Text span inherit truncate>
                {board.name}
              </Text>
            </PageLink>
          </li>
        ))}
      </ul>
    </WidgetCard>
  )
}
