import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const attachmentPages = [
  {
    key: 'attachment',
    path: 'attachment',
    title: 'Прикрепление',
    help: 'Заявления о прикреплении к клинике: что проверить, до какого часа ответить',
    section: 'reception',
    icon: 'attachment',
    any: ['check_applications'],
    menu: true,
    entity: 'attachment/applications',
    makes: {
      label: 'Новое заявление о прикреплении',
      any: ['check_applications'],
      names: 'прикрепить омс',
      rare: true,
    },
  },
  {
    key: 'attachmentApplication',
    path: 'attachment-application/:id',
    title: 'Заявление о прикреплении',
    help: 'Данные рядом с картой, проверки, участок и решение по одному заявлению',
    section: 'reception',
    icon: 'attachment',
    any: ['check_applications'],
  },
  {
    key: 'attachedPeople',
    path: 'attachment/people',
    title: 'Прикреплённые',
    help: 'Кто к какому участку прикреплён, с какого дня и почему откреплён',
    section: 'reception',
    icon: 'attachment',
    any: ['check_applications'],
    entity: 'attachment/attachments',
    makes: { label: 'Новое прикрепление', any: ['check_applications'], names: 'прикрепить', rare: true },
  },
] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const attachmentHelp = {
  attachment: [
    'Красный срок — просрочено или осталось меньше четырёх рабочих часов, оранжевый — меньше суток. Срок считается по рабочему календарю.',
    'Форма на сайте клиники стоит по адресу /attachment; её включают в настройках «Онлайн-прикрепление».',
  ],
  attachmentApplication: [
    'Слева — что написал заявитель, справа — карта, найденная по СНИЛС, полису или имени с датой рождения. Различия выделены; выбранные поля переносятся в карту одной кнопкой.',
    'Участок находится по улице и дому. Если норма заполнена, программа скажет.',
  ],
  attachedPeople: ['Прикрепление заканчивают днём и причиной; прошлые остаются.'],
} as const satisfies Readonly<Record<string, readonly string[]>>
