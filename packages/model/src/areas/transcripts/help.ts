/** Help texts behind «?» for the area’s pages, by page key; a separate module, so that it is loaded on demand. */
export const transcriptsHelp = {
  transcripts: [
    'Здесь ищут по словам разговоров. Видны свои разговоры, а с правом на чужие записи — все.',
    'Откройте реплику: рядом с плеером весь разговор, нажатие на слово играет с этого места.',
    'Расшифровку делают в карточке звонка или она делается сама, если это включено в «Подключениях». В записи с двумя каналами известно, кто говорит; тишина слов не даёт.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
