import { AddressViews } from '#records/table/AddressViews.tsx'
import { noBoard, readAddress, type SetTasksAddress, type TasksAddress } from '../address.ts'

interface Props {
  idBoard: number
  address: TasksAddress
  setAddress: SetTasksAddress
}

/** The user's saved views of a workspace, with an optional default. */
export function BoardViews({ idBoard, ...rest }: Props) {
  return (
    <AddressViews<TasksAddress>
      name={`board-views:${idBoard}`}
      remember={remember}
      nothing={nothing}
      about="Запомнит вид, фильтры, группы и порядок"
      {...rest}
    />
  )
}

const { board: _board, assignedColumn: _card, ...nothing } = noBoard

/** URL parameters without workspace and open card. */
function remember(address: Partial<TasksAddress>): Partial<TasksAddress> {
  const { board: _b, assignedColumn: _c, saved: _s, date: _d, ...rest } = readAddress({ ...address })
  return rest
}
