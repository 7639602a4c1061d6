/** A task made from another record by one button: an appeal, a dialogue, a visit. */
import { holds } from '@ordinator/model/access'
import { Board } from '@ordinator/model/areas/tasks/board'
import { ClientList, ClientListItem } from '@ordinator/model/areas/tasks/clientList'
import { Task } from '@ordinator/model/areas/tasks/task'
import { ValidationError } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'

interface Asked {
  name: string
  idBoard: number
  /** HTML. */
  description?: string
  /** Patient for the task's list of clients; left out for those who may see no patients. */
  idCustomer?: number
}

/**
 * Creates a task in the column for new ones, with the user's rights. @returns its id
 * @throws ValidationError at `idBoard` when the board has no such column
 */
export async function taskFrom(records: Records, { name, idBoard, description, idCustomer }: Asked): Promise<number> {
  const { idColumnNew } = await records.row(Board, idBoard)
  if (!idColumnNew)
    throw new ValidationError([{ field: 'idBoard', message: 'В этом пространстве нет колонки для новых задач' }])
  const { id } = await records.create(Task, { name, idColumn: idColumnNew, ...(description && { description }) })
  if (idCustomer !== undefined && holds(records.actor, 'viewCustomers')) {
    const list = await records.create(ClientList, { name: 'Пациент', idTask: id })
    await records.create(ClientListItem, { idClientList: list.id, idCustomer })
  }
  return id
}
