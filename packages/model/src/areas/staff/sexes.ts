/** Of employees and patients. */
export const sexes = { none: 'Не указан', female: 'Женский', male: 'Мужской' } as const
