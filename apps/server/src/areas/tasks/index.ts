import { offerImporter } from '#areas/imports/index.ts'
import type { Area } from '#records/area.ts'
import { boardOperations } from './boardCalls.ts'
import { boards, columns, member } from './boards.ts'
import { taskCalendar } from './calendar.ts'
import { assigned } from './cards.ts'
import { checkListItems, checkLists } from './checkLists.ts'
import { clientListItems, clientLists } from './clientLists.ts'
import { commentFiles, comments, readComments } from './comments.ts'
import { demo } from './demo.ts'
import { files, taskFiles } from './files.ts'
import { importBoard } from './importBoard.ts'
import { importTasks } from './importTasks.ts'
import { invitationOperations } from './invitations.ts'
import { links } from './links.ts'
import { pollOptions, pollResults, polls } from './polls.ts'
import { relations, resources } from './relations.ts'
import { startReminders } from './reminders.ts'
import { stateOperations } from './stateCalls.ts'
import { subtasks } from './subtasks.ts'
import { startTaskJobs } from './taskJobs.ts'
import { executors, responsible, tags, task, watchers } from './tasks.ts'
import { templateOperations } from './templates.ts'

export { copyTask } from './copy.ts'
export { withTaskAt } from './scope.ts'
export { taskFrom } from './taskFrom.ts'
export { mayCopyCard } from './templates.ts'

/** Workspaces and their tasks. */
export const tasks: Area = {
  name: 'tasks',
  title: 'Задачи',
  records: [
    boards,
    columns,
    member,
    relations,
    resources,
    task,
    assigned,
    executors,
    responsible,
    watchers,
    tags,
    files,
    taskFiles,
    subtasks,
    links,
    checkLists,
    checkListItems,
    clientLists,
    clientListItems,
    polls,
    pollOptions,
    pollResults,
    comments,
    commentFiles,
  ],
  operations: [
    ...stateOperations,
    ...boardOperations,
    ...invitationOperations,
    ...templateOperations,
    readComments,
    taskCalendar,
  ],
  start(app) {
    offerImporter(app, importTasks)
    offerImporter(app, importBoard)
    startReminders(app)
    startTaskJobs(app)
  },
  demo,
}
