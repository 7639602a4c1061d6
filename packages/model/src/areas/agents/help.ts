/** What «?» tells of the area’s pages, by their keys; apart, so that it is read when it is asked for. */
export const agentHelp = {
  deskAgents: [
    'Скачайте файл на компьютер кассы и запустите: node ordinator-agent.mjs. Нужна программа Node 22 или новее.',
    'Ключ стоит внутри файла. Новый файл отключает прежний, «Отозвать» отключает сразу.',
    'Без связи чеки ждут в очереди кассы и пробиваются, когда агент вернётся: дважды не пробивается ничего.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
