const en = {
  title: "Some of the input is not valid",
  tooLarge: "The input is too large",
  unsupported: "This media type is not supported",
  incomplete: "The body is incomplete",
  notJson: "The body must be JSON",
  notForm: "The body must be a form",
  other: "This value is not valid",
  bookTitle: "Enter a title of 1 to 200 characters",
  year: "Enter a year from 1000 to 2100",
  copies: "Enter a number from 1 to 99",
};

/** The messages in one language. A language that lacks one does not compile. */
export type Messages = { readonly [Key in keyof typeof en]: string };

const de: Messages = {
  title: "Einige Eingaben sind ungültig",
  tooLarge: "Die Eingabe ist zu lang",
  unsupported: "Dieser Medientyp wird nicht unterstützt",
  incomplete: "Die Anfrage ist unvollständig",
  notJson: "Die Anfrage muss JSON enthalten",
  notForm: "Die Anfrage muss ein Formular enthalten",
  other: "Dieser Wert ist ungültig",
  bookTitle: "Geben Sie einen Titel mit 1 bis 200 Zeichen ein",
  year: "Geben Sie ein Jahr von 1000 bis 2100 ein",
  copies: "Geben Sie eine Zahl von 1 bis 99 ein",
};

const fr: Messages = {
  title: "Certaines valeurs ne sont pas valides",
  tooLarge: "Le contenu est trop long",
  unsupported: "Ce type de contenu n'est pas accepté",
  incomplete: "Le contenu est incomplet",
  notJson: "Le contenu doit être du JSON",
  notForm: "Le contenu doit être un formulaire",
  other: "Cette valeur n'est pas valide",
  bookTitle: "Saisissez un titre de 1 à 200 caractères",
  year: "Saisissez une année de 1000 à 2100",
  copies: "Saisissez un nombre de 1 à 99",
};

/** The messages by language. English is for clients that accept none of them. */
export const MESSAGES: { readonly [language: string]: Messages; readonly en: Messages } = { en, de, fr };
