import { fr } from './typography.ts'

/** Texts of a file on its way to the server. */
export const sendingTexts = {
  sending: (name: string, percent: number) => fr(`Envoi de ${name} : ${percent} %`),
  checking: (name: string) => fr(`${name} est envoyé ; lecture et contrôles…`),
  progress: (name: string) => fr(`Envoi de ${name}`),
  cancel: fr('Annuler l’envoi'),
  cancelled: (name: string) => fr(`L’envoi de ${name} a été annulé : rien n’a été gardé.`),
} as const
