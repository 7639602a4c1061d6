/** Help texts behind «?» for the area’s pages, by page key; a separate module, so that it is loaded on demand. */
export const startHelp = {
  start: [
    'Шаг отмечается сам, когда в программе появилось то, о чём он: отметить его вручную нельзя.',
    'Шаг можно отложить и вернуть. Кто за него взялся, видно коллегам: продолжит любой, у кого есть право.',
    'Готовый набор заводит услуги, длительности, осмотры и согласия; пока им не пользовались, его убирают целиком.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
