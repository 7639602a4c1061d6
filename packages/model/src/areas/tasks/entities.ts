import { Board, BoardColumn, BoardMember, BoardRelation, BoardResource } from './board.ts'
import { CheckList, CheckListItem } from './checkList.ts'
import { ClientList, ClientListItem } from './clientList.ts'
import { TaskComment, TaskCommentFile } from './comment.ts'
import { TaskFile, TaskUpload } from './file.ts'
import { TaskLink } from './link.ts'
import { Poll, PollOption, PollResult } from './poll.ts'
import { Subtask } from './subtask.ts'
import { Assigned, Executor, Responsible, Task, TaskTag, Watcher } from './task.ts'

/** Entities of this area. */
export const entities = [
  Board,
  BoardColumn,
  BoardMember,
  Task,
  Assigned,
  Executor,
  Responsible,
  TaskTag,
  TaskUpload,
  TaskFile,
  Watcher,
  Subtask,
  TaskLink,
  CheckList,
  CheckListItem,
  ClientList,
  ClientListItem,
  Poll,
  PollOption,
  PollResult,
  TaskComment,
  TaskCommentFile,
  BoardRelation,
  BoardResource,
] as const
