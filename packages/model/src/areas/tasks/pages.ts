import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const taskPages = [
  {
    key: 'tasks',
    path: 'tasks',
    title: 'Задачи',
    help: 'Рабочие пространства, доски и поручения',
    section: 'tasks',
    icon: 'tasks',
    any: ['viewTasksManagement'],
    menu: true,
    makes: {
      label: 'Новое пространство',
      any: ['viewTasksManagement'],
      search: { open: 'new' },
      names: 'рабочее пространство доска',
      rare: true,
    },
  },
  {
    key: 'myTasks',
    path: 'tasks/mine',
    title: 'Мои задачи',
    help: 'Задачи всех пространств, где вы исполнитель или ответственный',
    section: 'tasks',
    icon: 'myTasks',
    any: ['viewTasksManagement'],
    menu: true,
    makes: { label: 'Новая задача', any: ['viewTasksManagement'] },
  },
  {
    key: 'invitation',
    path: 'tasks/invitation',
    title: 'Приглашение',
    help: 'Вступление в рабочее пространство по ссылке',
    section: 'tasks',
    linked: true,
    icon: 'tasks',
    any: ['viewTasksManagement'],
  },
] as const satisfies readonly Page[]
