import { fr } from './typography.ts'

/** Texts of the tables that stand behind charts, for screen readers. */
export const chartTexts = {
  thinned: (title: string, every: number, rows: number) =>
    fr(`${title}, une ligne sur ${every} et le maximum : ${rows} lignes`),
} as const
