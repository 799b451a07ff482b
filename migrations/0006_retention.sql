ALTER TABLE `applications` ADD `keep_months` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `kept_from` integer;