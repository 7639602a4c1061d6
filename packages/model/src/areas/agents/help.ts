/** Help texts behind «?» for the area’s pages, by page key; a separate module, so that it is loaded on demand. */
export const agentHelp = {
  deskAgents: [
    'Скачайте файл на компьютер кассы и запустите: node ordinator-agent.mjs. Нужна программа Node 22 или новее.',
    'Ключ стоит внутри файла. Новый файл отключает прежний, «Отозвать» отключает сразу.',
    'Без связи чеки ждут в очереди кассы и пробиваются, когда агент вернётся: дважды не пробивается ничего.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
